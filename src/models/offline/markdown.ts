const LONGEST_NAME = 60;

/** Data as one short line of visible characters. */
export function oneLine(text: string, most = LONGEST_NAME): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("")}…`;
}

/** A name as a code span: whatever it says, it stays a name. */
export function code(name: string): string {
  const line = oneLine(name);
  if (line === "") return "(no name)";
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const space = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

/** A value as plain words: nothing in it is Markdown. */
export function plain(text: string, most = LONGEST_NAME): string {
  return oneLine(text, most)
    .replace(
      /[\\`*{}[\]<>#!|~$]|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\/\/)|(?<=www)\.|@/gu,
      "\\$&",
    )
    .replace(/^(\d+)(?=[.)]\s)/, "$1\\");
}

export interface TableColumn {
  readonly title: string;
  readonly numeric?: boolean;
}

/** A table of cells that are Markdown already. */
export function table(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [
    line(columns.map(({ title }) => title)),
    line(columns.map(({ numeric }) => (numeric ? "---:" : "---"))),
    ...rows.map(line),
  ].join("\n");
}

/** A bar in a cell would end it, in a code span too. */
function cell(text: string): string {
  return text.replace(/(?<!\\)\|/g, "\\|");
}

export function chart(title: string, file: string): string {
  return `![${plain(title)}](sandbox:/mnt/data/${file})`;
}

export function paragraphs(...parts: readonly (string | undefined | false)[]): string {
  return parts.filter((part) => typeof part === "string" && part !== "").join("\n\n");
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

/** "a, b and c". */
export function listed(parts: readonly string[], joint = "and"): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${joint} ${parts.at(-1)}`;
}
