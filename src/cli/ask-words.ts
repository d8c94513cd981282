import { existsSync, globSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { GloveboxError } from "../errors.ts";
import { nearest } from "../support/nearest.ts";

export interface AskWords {
  readonly paths: readonly string[];
  /** Undefined when it is to be read from standard input. */
  readonly question: string | undefined;
}

const MOST_NAMES = 1000;

/** Tells the files and folders among the words from the one question, in any order. */
export function sortWords(words: readonly string[]): AskWords {
  const paths: string[] = [];
  const questions: string[] = [];
  for (const word of words) {
    const found = pathsOf(word);
    if (found) paths.push(...found);
    else questions.push(word);
  }
  const [question, second] = questions;
  if (second !== undefined) {
    throw new GloveboxError(
      "usage",
      `There are two questions, ${JSON.stringify(question)} and ${JSON.stringify(second)}; put one question into quotes.`,
    );
  }
  if (question?.trim() === "")
    throw new GloveboxError("usage", "The question is empty; say what to find out.");
  return { paths: [...new Set(paths)], question: question === "-" ? undefined : question };
}

/** Only files and folders: what a chat is about; questions come later. */
export function onlyPaths(words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const found = pathsOf(word);
    if (found) return found;
    throw missing(word);
  });
}

/** The files a word names; undefined for one that is no path. */
function pathsOf(word: string): string[] | undefined {
  if (word === "-" || word === "") return undefined;
  if (exists(word)) return [word];
  if (/\s/.test(word) || word.endsWith("?")) return undefined;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word)) {
    throw new GloveboxError("usage", `${word} is an address; download the file first and name it.`);
  }
  if (!/[/\\]|\.[A-Za-z0-9]{1,8}$/.test(word)) return undefined;
  if (/[*?[{]/.test(word)) {
    const found = globSync(word).filter(exists).sort();
    if (found.length > 0) return found;
    throw new GloveboxError("usage", `No file matches ${word}; check the path.`);
  }
  throw missing(word);
}

function exists(path: string): boolean {
  try {
    const found = statSync(path);
    return found.isFile() || found.isDirectory();
  } catch {
    return false;
  }
}

function missing(word: string): GloveboxError {
  if (existsSync(word)) {
    return new GloveboxError("usage", `${word} is neither an ordinary file nor a folder; give one of those.`);
  }
  const close = nearest(basename(word), namesIn(dirname(word)));
  const meant = close === undefined ? undefined : join(dirname(word), close);
  const hint = meant
    ? `did you mean ${meant}?`
    : "check the path, or put a question into quotes with spaces.";
  return new GloveboxError("usage", `There is no file or folder ${word}; ${hint}`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).slice(0, MOST_NAMES);
  } catch {
    return [];
  }
}
