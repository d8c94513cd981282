import { pythonLiteral as py } from "../../../support/python-literal.ts";

export interface ChartParts {
  readonly file: string;
  readonly title: string;
  readonly x?: string;
  readonly y?: string;
  /** Lines that draw into `ax`. */
  readonly draw: string;
  readonly width?: number;
  /** An expression or a number of inches. */
  readonly height?: string;
}

/** Lines that draw a chart, save it under its name and show it. */
export function chartCode({ file, title, x, y, draw, width = 8, height = "4.5" }: ChartParts): string {
  return [
    `fig, ax = plt.subplots(figsize=(${width}, ${height}))`,
    draw,
    `ax.set_title(${label(title)})`,
    ...(x === undefined ? [] : [`ax.set_xlabel(${label(x)})`]),
    ...(y === undefined ? [] : [`ax.set_ylabel(${label(y)})`]),
    `ax.spines[["top", "right"]].set_visible(False)`,
    `fig.tight_layout()`,
    `plt.savefig(${py(`/mnt/data/${file}`)}, dpi=144)`,
    `plt.show()`,
    `plt.close(fig)`,
  ].join("\n");
}

/** Words on a chart: short, on one line, and no formula. */
export function label(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
  const short = [...line].length > 70 ? `${[...line].slice(0, 69).join("")}…` : line;
  return py(short.replaceAll("$", "\\$"));
}

/** An expression for the names of an index, as words on a chart. */
export function tickNames(index: string): string {
  return `[str(name)[:30].replace("$", r"\\$") for name in ${index}]`;
}
