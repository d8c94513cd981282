import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { GloveboxError } from "../errors.ts";

/** Where a cell's code comes from, as the command line names it. */
export type CellSource = "stdin" | { readonly code: string } | { readonly file: string };

/** The code of every cell, read before the first one runs. */
export async function readCells(sources: readonly CellSource[], signal: AbortSignal): Promise<string[]> {
  const cells: string[] = [];
  for (const source of sources) cells.push(await readCell(source, signal));
  return cells;
}

async function readCell(source: CellSource, signal: AbortSignal): Promise<string> {
  if (source === "stdin") return decode(await readStandardInput(signal), "Standard input");
  if ("code" in source) return source.code;
  const bytes = await readFile(source.file).catch((cause: NodeJS.ErrnoException) => {
    throw new GloveboxError("usage", `Cannot read ${source.file}: ${reason(cause)}.`, { cause });
  });
  return decode(bytes, source.file);
}

async function readStandardInput(signal: AbortSignal): Promise<Buffer> {
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () =>
      reject(new GloveboxError("aborted", "Stopped before all of standard input had come; nothing was run.")),
    );
  });
  try {
    return await Promise.race([buffer(process.stdin), interrupted]);
  } catch (cause) {
    if (cause instanceof GloveboxError) throw cause;
    throw new GloveboxError("usage", "Cannot read standard input; pipe code into it.", { cause });
  }
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new GloveboxError("usage", `${name} is not text in UTF-8; save it in that encoding.`, { cause });
  }
}

export function reason(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "there is no such file; check the path";
  if (error.code === "EISDIR") return "it is a folder; name a file in it";
  if (error.code === "ENOTDIR") return "a part of the path is not a folder";
  if (error.code === "EACCES" || error.code === "EPERM") return "it may not be read; check its permissions";
  return error.message;
}
