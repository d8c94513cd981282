import type { FileEntry } from "../../protocol/result.ts";
import type { Session } from "../../session/session.ts";

/** A file that can be loaded as a table, and the short name that it goes by. */
export interface TableHandle {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly modified_ms: number;
}

const TABLE =
  /\.(?<kind>csv|tsv|tab|psv|txt|parquet|pq|xlsx|xlsm|xls|json|jsonl|ndjson|geojson)(?:\.(?<packing>gz|bz2|xz|zip))?$|\.(?<archive>zip)$/i;
const LONGEST_NAME = 64;

/** The files by their paths below the working folder. */
export async function filesOf(session: Session): Promise<FileEntry[]> {
  const files = await session.files.list();
  return files.map((file) => ({ ...file, path: belowWorkFolder(file.path) }));
}

/** The tables among a session's files, in order of their paths, each with a name of its own. */
export function tableHandles(files: readonly FileEntry[]): TableHandle[] {
  const tables = files
    .filter(({ path }) => TABLE.test(path) && !path.split("/").some((part) => part.startsWith(".")))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const groups = Map.groupBy(tables, ({ path }) => stem(path));
  const names = new Map<string, string>();
  const taken = new Set([...groups].filter(([, group]) => group.length === 1).map(([name]) => name));
  for (const [name, group] of groups) {
    const paths = group.map(({ path }) => path);
    const own = paths.length === 1 ? [name] : tellApart(paths, taken);
    for (const [place, path] of paths.entries()) {
      const unique = own[place] ?? path;
      names.set(path, unique);
      taken.add(unique);
    }
  }
  return tables.map(({ path, bytes, modified_ms }) => ({
    name: names.get(path) ?? path,
    path,
    bytes,
    modified_ms,
  }));
}

export type FoundTable =
  | { readonly path: string }
  | { readonly ambiguous: readonly TableHandle[] }
  | { readonly unknown: readonly TableHandle[] };

/** The file that a handle, a path or a file's name means; of other files only the path will do. */
export function findTable(files: readonly FileEntry[], asked: string): FoundTable {
  const handles = tableHandles(files);
  const wanted = belowWorkFolder(asked.normalize("NFC"));
  const plain = (text: string) => text.normalize("NFC");
  const exact = handles.find(({ name }) => plain(name) === wanted);
  if (exact) return { path: exact.path };
  const file = files.find(({ path }) => path === asked) ?? files.find(({ path }) => plain(path) === wanted);
  if (file) return { path: file.path };
  const folded = wanted.toLowerCase();
  const looser: ((handle: TableHandle) => boolean)[] = [
    ({ path }) => plain(baseName(path)) === wanted,
    ({ path }) => stem(path) === wanted || stem(path) === stem(wanted),
    ({ name, path }) =>
      plain(name).toLowerCase() === folded || plain(baseName(path)).toLowerCase() === folded,
  ];
  for (const fits of looser) {
    const [first, ...others] = handles.filter(fits);
    if (first && others.length === 0) return { path: first.path };
    if (first) return { ambiguous: [first, ...others] };
  }
  return { unknown: handles };
}

/** By their endings, else by their folders, else by both; what is left by number. */
function tellApart(paths: readonly string[], taken: ReadonlySet<string>): string[] {
  const ways: ((path: string) => string)[] = [
    (path) => `${stem(path)}_${ending(path)}`,
    inFolder,
    (path) => `${inFolder(path)}_${ending(path)}`,
  ];
  const used = new Set(taken);
  const names = new Map<string, string>();
  let number = 0;
  for (const way of ways) {
    const open = paths.filter((path) => !names.has(path));
    for (const [name, [path, ...others]] of Map.groupBy(open, way)) {
      if (path === undefined || others.length > 0 || used.has(name)) continue;
      names.set(path, name);
      used.add(name);
    }
  }
  // All of one stem, so that a number that was passed over is taken for every later one.
  const numbered = (path: string) => {
    do number += 1;
    while (used.has(`${stem(path)}_${number}`));
    return `${stem(path)}_${number}`;
  };
  return paths.map((path) => names.get(path) ?? numbered(path));
}

function belowWorkFolder(path: string): string {
  return path.replace(/^(?:\/mnt\/data\/|\/data\/|\.\/)/, "");
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function stem(path: string): string {
  return word(baseName(path).replace(TABLE, "")) || "table";
}

function inFolder(path: string): string {
  return word(path.replace(TABLE, ""));
}

function ending(path: string): string {
  const { kind, packing, archive } = TABLE.exec(path)?.groups ?? {};
  return [kind, packing, archive].filter(Boolean).join("_").toLowerCase();
}

function word(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, LONGEST_NAME);
}
