import { readdirSync } from "node:fs";
import { join } from "node:path";
import { oneLine } from "../safe-text.ts";

const MOST_NAMES = 500;

export interface CompletionSources {
  readonly commands: readonly string[];
  /** Names of the files in the session. */
  readonly sessionFiles: () => readonly string[];
  readonly folder: string;
}

/** Commands at the start of a line; after that names of files, of the session and of the folder one is in. */
export function complete(line: string, sources: CompletionSources): [matches: string[], word: string] {
  const word = /\S*$/.exec(line)?.[0] ?? "";
  if (line.startsWith("/") && word === line) return [withSpace(startingWith(word, sources.commands)), word];
  if (word === "") return [[], word];
  const folder = /^.*\//.exec(word)?.[0] ?? "";
  const here = namesIn(join(sources.folder, folder)).map((name) => folder + name);
  const names = [...new Set([...sources.sessionFiles(), ...here])];
  // A name that could command the terminal is not offered: the editor would write it out as it is.
  return [
    startingWith(
      word,
      names.filter((name) => oneLine(name) === name && !/\s/.test(name)),
    ),
    word,
  ];
}

function startingWith(word: string, names: readonly string[]): string[] {
  return names.filter((name) => name.startsWith(word)).sort();
}

function withSpace(names: readonly string[]): string[] {
  return names.map((name) => `${name} `);
}

function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).slice(0, MOST_NAMES);
    return entries
      .filter((entry) => !entry.name.startsWith("."))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  } catch {
    return [];
  }
}
