import { release } from "node:os";
import type { Check } from "../sandbox/doctor/check.ts";
import type { PythonEnvironment } from "../sandbox/environment/environment.ts";
import type { Style } from "./colour.ts";
import { displayWidth, padEnd } from "./display-width.ts";
import { oneLine } from "./safe-text.ts";
import type { Output } from "./terminal.ts";

export interface Diagnosis {
  readonly ok: boolean;
  readonly version: string;
  readonly environment: PythonEnvironment | undefined;
  readonly checks: readonly Check[];
}

const titles: Record<Check["group"], string> = { python: "Python", walls: "Walls", limits: "Limits" };
const LEAST_DETAIL = 30;

export function formatDiagnosis(diagnosis: Diagnosis, output: Output): string {
  const { checks, ok, version } = diagnosis;
  const nameWidth = Math.max(...checks.map((check) => displayWidth(check.name)));
  const lines = [
    `Glovebox ${version} · Node ${process.versions.node} · Linux ${release()} ${process.arch} · sandbox local`,
  ];
  for (const [group, title] of Object.entries(titles)) {
    const own = checks.filter((check) => check.group === group);
    if (own.length === 0) continue;
    lines.push(
      "",
      output.paint("bold", title),
      ...own.flatMap((check) => formatCheck(check, nameWidth, output)),
    );
  }
  return [...lines, "", verdict(ok, output)].join("\n");
}

function formatCheck(check: Check, nameWidth: number, output: Output): string[] {
  const [mark, style] = markOf(check.ok);
  const indent = 2 + 2 + nameWidth + 2;
  const room = Math.max(LEAST_DETAIL, output.columns - indent);
  const [first = "", ...rest] = wrap(oneLine(check.detail), room);
  const margin = " ".repeat(indent);
  const lines = [`  ${output.paint(style, mark)} ${padEnd(check.name, nameWidth)}  ${first}`];
  lines.push(...rest.map((line) => margin + line));
  if (!check.mend) return lines;
  // A command stays on one line, so that it can be copied.
  return [...lines, `${margin}${output.paint("yellow", "→")} ${output.paint("bold", oneLine(check.mend))}`];
}

function markOf(ok: boolean | null): [string, Style] {
  if (ok === null) return ["–", "dim"];
  return ok ? ["✓", "green"] : ["✗", "red"];
}

function verdict(ok: boolean, output: Output): string {
  if (ok) return output.paint("green", "Sessions run safely on this machine.");
  return output.paint("red", "Sessions cannot run safely on this machine until what is marked ✗ is mended.");
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
