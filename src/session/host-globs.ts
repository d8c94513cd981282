import { GloveboxError } from "../errors.ts";
import { globMatcher } from "./host-glob-match.ts";

export interface HostGlobs {
  /** On paths relative to the mount's folder; without any, every file that is not hidden. */
  readonly includeGlobs?: readonly string[];
  /** Stronger than `includeGlobs`, and for hidden files too. */
  readonly excludeGlobs?: readonly string[];
}

/** Which paths of a folder are meant. */
export interface PathChoice {
  selects(path: string): boolean;
  /** Whether a folder can hold anything that is selected; false spares the walk. */
  enters(folder: string): boolean;
}

const MOST_GLOBS = 100;
const MOST_GLOB_CHARACTERS = 500;
const BELOW = "/**";

/** Reads the globs as shells do: a hidden name is included only by a glob that spells its dot. */
export function choosePaths({ includeGlobs, excludeGlobs = [] }: HostGlobs): PathChoice {
  const all = [...(includeGlobs ?? []), ...excludeGlobs];
  if (all.length > MOST_GLOBS || all.some((glob) => glob === "" || glob.length > MOST_GLOB_CHARACTERS)) {
    throw new GloveboxError(
      "usage",
      `A mount takes at most ${MOST_GLOBS} globs of 1 to ${MOST_GLOB_CHARACTERS} characters; give fewer or wider ones.`,
    );
  }
  const included = includeGlobs && anyOf(includeGlobs);
  const excluded = hiddenOrNot(excludeGlobs);
  const wholeFolders = hiddenOrNot(
    excludeGlobs.filter((glob) => glob.endsWith(BELOW)).map((glob) => glob.slice(0, -BELOW.length)),
  );
  const wantsHidden = includeGlobs?.some((glob) => /(?:^|[/{,(|])\.|(?:^|\/)\[/.test(glob)) ?? false;
  return {
    selects(path) {
      return (included ? included(path) : !isHidden(path)) && !excluded(path);
    },
    enters(folder) {
      return (wantsHidden || !isHidden(folder)) && !wholeFolders(folder);
    },
  };
}

function anyOf(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs.map(globMatcher);
  return (path) => matchers.some((matches) => matches(path));
}

function hiddenOrNot(globs: readonly string[]): (path: string) => boolean {
  const [asWritten, withDots] = [anyOf(globs), anyOf(globs.map(spellDots))];
  return (path) => asWritten(path) || withDots(spellDots(path));
}

function isHidden(path: string): boolean {
  return path.split("/").some((part) => part.startsWith("."));
}

// Put before a leading dot so that wildcards see it as any other character: what is excluded is excluded hidden or not.
const DOT_MARK = "\uE000";

function spellDots(text: string): string {
  return text.replaceAll(/(^|[/{,(|])\./g, `$1${DOT_MARK}.`);
}
