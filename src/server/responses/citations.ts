import type { FileCitation } from "../../protocol/items.ts";
import type { ContainerFileRecord } from "../containers/container-service.ts";

const LINK = "sandbox:";
const FOLDER = "/mnt/data/";
const MOST_CITED = 100;

export interface CitedFiles {
  readonly containerId: string;
  /** All that a text may point at. */
  readonly files: readonly ContainerFileRecord[];
  /** Cited even where the text has no link to them. */
  readonly made: readonly ContainerFileRecord[];
}

/**
 * The files that a text points at, in the text's order; the indices span the link's target, as a string of JavaScript
 * counts. Made files that it does not mention follow, with an empty span.
 */
export function citationsIn(text: string, { containerId, files, made }: CitedFiles): FileCitation[] {
  const names = spellings(files);
  const cited: FileCitation[] = [];
  for (let at = text.indexOf(LINK); at >= 0; at = text.indexOf(LINK, at + 1)) {
    const found = names.find(({ path }) => text.startsWith(path, at + LINK.length));
    if (!found) continue;
    const end = at + LINK.length + found.path.length;
    cited.push(citation(containerId, found.file, at, end));
    if (cited.length >= MOST_CITED) return cited;
  }
  const mentioned = new Set(cited.map((one) => one.file_id));
  const others = made
    .filter((file) => !mentioned.has(file.id))
    .map((file) => citation(containerId, file, 0, 0));
  return [...cited, ...others].slice(0, MOST_CITED);
}

/** The ways in which a text writes a file's path, the longest first: one name may be the beginning of another. */
function spellings(files: readonly ContainerFileRecord[]): { path: string; file: ContainerFileRecord }[] {
  return files
    .flatMap((file) =>
      [...new Set([file.path, encodeURI(file.path.toWellFormed())])].map((path) => ({ path, file })),
    )
    .sort((a, b) => b.path.length - a.path.length);
}

function citation(
  container_id: string,
  file: ContainerFileRecord,
  start_index: number,
  end_index: number,
): FileCitation {
  const filename = file.path.startsWith(FOLDER) ? file.path.slice(FOLDER.length) : file.path;
  return {
    type: "container_file_citation",
    container_id,
    file_id: file.id,
    filename,
    start_index,
    end_index,
  };
}
