// write the braces out → split at the slashes → match part by part, going back to the last star only
import { matchesGlob } from "node:path";
import { GloveboxError } from "../errors.ts";

type Sign = "star" | ((character: string) => boolean);

interface Part {
  readonly signs: readonly Sign[];
  /** Whether it begins with its own dot; wildcards do not match a hidden name's. */
  readonly spellsDot: boolean;
}

const MOST_ALTERNATIVES = 500;
const MOST_STARS = 3;
const INNERMOST_BRACES = /\{([^{}]*,[^{}]*)\}/;
const SIMPLE_SIGN = /\[[!^]?[^[\]\\/]+\]|\*+|[^[\]]/gu;

/**
 * Matches as `matchesGlob` of node:path does, whole characters for "?", in a time that no glob and no name can stretch.
 * Groups are left to that one as far as they are harmless.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const matchers = alternativesOf(glob).map(oneMatcher);
  return (path) => matchers.some((matches) => matches(path));
}

function alternativesOf(glob: string): string[] {
  const open = [glob];
  const done = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const braces = INNERMOST_BRACES.exec(next);
    if (!braces) done.add(next);
    else {
      const [before, after] = [next.slice(0, braces.index), next.slice(braces.index + braces[0].length)];
      for (const each of braces[1]?.split(",") ?? []) open.push(`${before}${each}${after}`);
    }
    if (open.length + done.size > MOST_ALTERNATIVES) throw refused(glob, "stands for too many others");
  }
  return [...done];
}

function oneMatcher(glob: string): (path: string) => boolean {
  const names = glob.split("/");
  const plain = names.every((name) => name !== "" && name !== "." && name !== ".." && !/[{}()\\]/.test(name));
  const parts = plain ? names.map((name) => (name === "**" ? "folders" : readPart(name))) : [];
  if (plain && parts.every((part) => part !== undefined)) {
    return (path) => matchesParts(path.split("/"), parts as ("folders" | Part)[]);
  }
  if (/[+*]\(|\{[^{}]*\.\.|\([^()]*\(/.test(glob))
    throw refused(glob, "repeats or nests groups, or has a range");
  const tooMany = names.some((name) => (name.match(/\*+|!\(/g)?.length ?? 0) > MOST_STARS);
  if (tooMany) throw refused(glob, `has more than ${MOST_STARS} stars beside a group in one name`);
  return (path) => matchesGlob(path, glob);
}

function readPart(name: string): Part | undefined {
  const signs: Sign[] = [];
  let length = 0;
  for (const [written] of name.matchAll(SIMPLE_SIGN)) {
    length += written.length;
    const sign = readSign(written);
    if (!sign) return undefined;
    signs.push(sign);
  }
  const spellsDot = name.startsWith(".") || name.startsWith("[.]");
  return length === name.length ? { signs, spellsDot } : undefined;
}

function readSign(written: string): Sign | undefined {
  if (written.startsWith("*")) return "star";
  if (written === "?") return () => true;
  if (written.length < 3 || !written.startsWith("[")) return (character) => character === written;
  const [, not = "", inside = ""] = /^\[([!^]?)(.*)\]$/su.exec(written) ?? [];
  try {
    const set = new RegExp(`^[${not && "^"}${inside}]$`, "u");
    return (character) => set.test(character);
  } catch {
    return undefined;
  }
}

function matchesParts(names: readonly string[], parts: readonly ("folders" | Part)[]): boolean {
  let at = 0;
  let next = 0;
  let folders = -1;
  let resumeAt = 0;
  while (at < names.length) {
    const part = parts[next];
    if (part === "folders") {
      folders = next++;
      resumeAt = at;
      // At the end it stands for something.
      if (next === parts.length) return names.slice(at).every((name) => !name.startsWith("."));
    } else if (part && matchesName(names[at] ?? "", part)) {
      next++;
      at++;
    } else {
      if (folders < 0 || names[resumeAt]?.startsWith(".")) return false;
      next = folders + 1;
      at = ++resumeAt;
    }
  }
  return next === parts.length;
}

function matchesName(name: string, { signs, spellsDot }: Part): boolean {
  if (name === "" || (name.startsWith(".") && !spellsDot)) return false;
  const text = [...name];
  let at = 0;
  let next = 0;
  let star = -1;
  let resumeAt = 0;
  while (at < text.length) {
    const sign = signs[next];
    if (sign === "star") {
      star = next++;
      resumeAt = at;
    } else if (sign?.(text[at] ?? "")) {
      next++;
      at++;
    } else {
      if (star < 0) return false;
      next = star + 1;
      at = ++resumeAt;
    }
  }
  while (signs[next] === "star") next++;
  return next === signs.length;
}

function refused(glob: string, why: string): GloveboxError {
  return new GloveboxError(
    "usage",
    `The glob ${JSON.stringify(glob)} ${why}; write several simpler ones instead.`,
  );
}
