import { z } from "zod";
import { pythonLiteral as py } from "../../../support/python-literal.ts";
import { label } from "../code/chart-code.ts";
import { slug } from "../code/identifier.ts";
import { prepare } from "../code/prepare.ts";
import { chart, code, listed, paragraphs, plain, table } from "../markdown.ts";
import { count, counted, num } from "../numbers.ts";
import type { Column } from "../table.ts";
import { type Analysis, answering } from "./analysis.ts";
import { keysOf } from "./grouping.ts";
import * as say from "./phrasing.ts";

const MOST_COLUMNS = 40;
const CHARTS = 9;

const Facts = z.object({
  rows: z.number(),
  duplicates: z.number(),
  numbers: z.record(
    z.string(),
    z.tuple([z.number().nullable(), z.number().nullable(), z.number().nullable()]),
  ),
  dates: z.record(z.string(), z.tuple([z.string(), z.string()])),
});

const KINDS: Readonly<Record<Column["kind"], string>> = {
  number: "number",
  boolean: "yes/no",
  date: "date",
  year: "year",
  category: "group",
  text: "text",
  id: "identifier",
  constant: "constant",
  empty: "empty",
};

/** What is in the table: its columns, their kinds, ranges and gaps. */
export const describe: Analysis = {
  name: "describe",
  example: () => "What is in this table?",
  fits({ cues, metric, groups }) {
    if (!cues.has("describe")) return 0;
    return metric || groups.length > 0 ? 43 : 62;
  },
  plan(frame) {
    const { table: of } = frame;
    const shown = of.columns.slice(0, MOST_COLUMNS);
    const numbers = shown.filter(({ kind }) => kind === "number");
    const dates = shown.filter(({ kind }) => kind === "date");
    const drawn = numbers.slice(0, CHARTS);
    const across = Math.min(3, drawn.length);
    const rows = Math.ceil(drawn.length / 3);
    const title = `The numbers of ${of.handle}`;
    const file = `${slug(of.handle, "overview")}.png`;
    return {
      intent: `Summarise the columns of ${of.handle}`.slice(0, 120),
      code: [
        `import matplotlib.pyplot as plt\nimport pandas as pd\n`,
        prepare({ table: of, columns: [...numbers, ...dates] }),
        `numbers = data[${keysOf(numbers)}].astype(float)`,
        ...(drawn.length === 0
          ? []
          : [
              `\n# One small histogram for each column of numbers`,
              `fig, axes = plt.subplots(${rows}, ${across}, figsize=(${across * 3}, ${rows * 2.2 + 0.4}), squeeze=False)`,
              `for ax in axes.flat[${drawn.length}:]:`,
              `    ax.axis("off")`,
              `for ax, name in zip(axes.flat, ${keysOf(drawn)}):`,
              `    ax.hist(numbers[name].dropna(), bins=20, color="#3b76af")`,
              `    ax.set_title(name[:30].replace("$", r"\\$"), fontsize=9)`,
              `    ax.tick_params(labelsize=7)`,
              `    ax.spines[["top", "right"]].set_visible(False)`,
              `fig.suptitle(${label(title)})`,
              `fig.tight_layout()`,
              `plt.savefig(${py(`/mnt/data/${file}`)}, dpi=144)`,
              `plt.show()`,
              `plt.close(fig)`,
            ]),
        `\ntry:`,
        `    duplicates = int(${of.df}.duplicated().sum())`,
        `except TypeError:  # cells that hold lists`,
        `    duplicates = int(${of.df}.astype(str).duplicated().sum())\n`,
        `{`,
        `    "rows": len(${of.df}),`,
        `    "duplicates": duplicates,`,
        `    "numbers": {name[:60]: [float(column.min()), float(column.mean()), float(column.max())] for name, column in numbers.items()},`,
        `    "dates": {name[:60]: [str(data[name].min())[:19], str(data[name].max())[:19]] for name in ${keysOf(dates)}},`,
        `}`,
      ].join("\n"),
      answer: answering(Facts, (facts) => {
        const by = (kind: Column["kind"]) => of.columns.filter((column) => column.kind === kind).length;
        const kinds = Object.entries(KINDS).flatMap(([kind, word]) => {
          const n = by(kind as Column["kind"]);
          return n === 0 ? [] : [`${n} ${word}${n > 1 && !/y$|yes/.test(word) ? "s" : ""}`];
        });
        const part = of.columns.length < of.columnCount;
        const looked = part ? ` in the ${counted(of.columns.length, "column")} that I looked at` : "";
        const gaps = of.columns.filter(({ missing }) => missing > 0);
        return paragraphs(
          `${code(of.handle)} has **${counted(facts.rows, "row")}** and **${counted(of.columnCount, "column")}** (${part ? `${of.columns.length} of them looked at: ` : ""}${listed(kinds)}).`,
          table(
            [
              { title: "column" },
              { title: "kind" },
              { title: "what it holds" },
              { title: "missing", numeric: true },
            ],
            shown.map((column) => [
              code(column.name),
              KINDS[column.kind],
              holds(column, facts),
              count(column.missing),
            ]),
          ),
          drawn.length > 0 && chart(title, file),
          say.smallPrint(
            of.columnCount > shown.length && `The first ${shown.length} columns are listed.`,
            gaps.length === 0
              ? `No values are missing${looked}.`
              : `${counted(gaps.length, "column has", "columns have")} missing values${looked}.`,
            facts.duplicates > 0 &&
              `${counted(facts.duplicates, "row")} ${facts.duplicates === 1 ? "repeats an earlier one" : "repeat earlier ones"}.`,
            numbers.length > drawn.length && `The chart shows the first ${drawn.length} columns of numbers.`,
            of.notice !== undefined && `How the file was read: ${plain(of.notice, 240)}`,
            ...say.readingNotes(shown).slice(0, 3),
          ),
        );
      }),
    };
  },
};

function holds(column: Column, facts: z.infer<typeof Facts>): string {
  const key = column.key.slice(0, 60);
  const range = facts.numbers[key];
  if (range) return `${num(range[0])} to ${num(range[2])}, mean ${num(range[1])}`;
  const span = facts.dates[key];
  if (span) return `${plain(span[0].replace(" 00:00:00", ""))} to ${plain(span[1].replace(" 00:00:00", ""))}`;
  const some = column.values.slice(0, 4).map((value) => plain(String(value).slice(0, 30)));
  if (column.kind === "empty") return "no values";
  if (some.length === 0) return counted(column.distinct, "distinct value");
  return column.distinct > some.length
    ? `${counted(column.distinct, "value")}: ${some.join(", ")} …`
    : some.join(", ");
}
