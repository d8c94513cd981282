import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open, opendir, readlink, realpath } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { GloveboxError } from "../errors.ts";
import { nameInSession } from "./file-names.ts";
import { choosePaths, type PathChoice } from "./host-globs.ts";
import type { HostMount } from "./host-mount.ts";
import { type HostRoots, isBelow, resolveHostPath } from "./host-roots.ts";

/** An ordinary file of the host that a mount selects. */
export interface HostFile {
  /** Without links. */
  readonly hostPath: string;
  /** Below /mnt/data. */
  readonly path: string;
  readonly bytes: number;
  /** Another one says that the file has changed. */
  readonly stamp: string;
}

export interface SelectOptions {
  /** Folders that host paths must be below; without them, no restriction. */
  readonly roots?: HostRoots;
  readonly signal?: AbortSignal;
  /** Told of what lies in the folder and is not read: a link that leads out, a pipe, a folder without permission. */
  readonly onSkipped?: (path: string, reason: string) => void;
}

const MOST_LOOKED_AT = 10_000;
const MOST_SELECTED = 1_000;
const PART_BYTES = 1 << 20;

/**
 * The files that a mount selects, by name. A link to a file is followed when the file it leads to is itself selected;
 * a link to a folder is not entered.
 */
export async function selectHostFiles(mount: HostMount, options: SelectOptions = {}): Promise<HostFile[]> {
  checkLimit(mount.maxBytes);
  const prefix = mount.mountPath === "." ? "" : nameInSession(mount.mountPath);
  const source = await resolveHostPath(mount.hostPath, options.roots);
  const found = await status(source, mount.hostPath);
  const files: HostFile[] = [];
  if (found.isDirectory()) {
    for await (const [name, file] of walk(source, choosePaths(mount), options)) {
      files.push({ ...file, path: prefix === "" ? name : `${prefix}/${name}` });
      if (files.length > MOST_SELECTED) throw tooMany(mount.hostPath, "selects", MOST_SELECTED);
    }
  } else if (found.isFile()) {
    files.push({ ...described(source, found), path: prefix || basename(source) });
  } else {
    throw new GloveboxError(
      "file-kind",
      `"${mount.hostPath}" is neither an ordinary file nor a folder; give one of those.`,
    );
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (mount.maxBytes !== undefined && bytes > mount.maxBytes) {
    throw new GloveboxError(
      "file-too-large",
      `The ${files.length} files selected in "${mount.hostPath}" have ${bytes.toLocaleString("en-US")} bytes together, ` +
        `more than maxBytes (${mount.maxBytes.toLocaleString("en-US")}); raise it or narrow the globs.`,
    );
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The file part by part, as long as it was when it was selected; what took its place since is not read. */
export async function* openHostFile(
  file: HostFile,
  options: { readonly signal?: AbortSignal; readonly mostBytes?: number } = {},
): AsyncGenerator<Uint8Array> {
  await using handle = await openChecked(file);
  let left = Math.min(file.bytes, options.mostBytes ?? file.bytes);
  while (left > 0) {
    throwIfAborted(options.signal);
    const part = Buffer.allocUnsafe(Math.min(left, PART_BYTES));
    const { bytesRead } = await handle.read(part, 0, part.length).catch((cause) => {
      throw new GloveboxError(
        "file-kind",
        `"${file.path}" cannot be read to its end; check it on the host.`,
        {
          cause,
        },
      );
    });
    if (bytesRead === 0) return;
    left -= bytesRead;
    yield part.subarray(0, bytesRead);
  }
}

function checkLimit(maxBytes: number | undefined): void {
  if (maxBytes === undefined || (Number.isSafeInteger(maxBytes) && maxBytes >= 0)) return;
  throw new GloveboxError("usage", `A mount's maxBytes is ${maxBytes}; give a whole number of bytes.`);
}

async function openChecked(file: HostFile): Promise<FileHandle> {
  // Neither the last link is followed nor a pipe waited for; the opened file itself tells which path led to it.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
  const handle = await open(file.hostPath, flags).catch((cause) => {
    throw new GloveboxError(
      "file-missing",
      `"${file.path}" is not there any more or not readable; look again.`,
      {
        cause,
      },
    );
  });
  try {
    const opened = await handle.stat();
    const leadsTo = await readlink(`/proc/self/fd/${handle.fd}`);
    if (opened.isFile() && leadsTo === file.hostPath) return handle;
    throw new GloveboxError(
      "file-kind",
      `Something else has taken the place of "${file.path}" since it was looked at; it is not read. Look again.`,
    );
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function* walk(
  source: string,
  choice: PathChoice,
  options: SelectOptions,
): AsyncGenerator<[name: string, file: Omit<HostFile, "path">]> {
  const skip = options.onSkipped ?? (() => {});
  const folders = [source];
  let lookedAt = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await opendir(folder).catch(() => undefined);
    if (!entries) {
      skip(relative(source, folder), "the folder cannot be read");
      continue;
    }
    for await (const entry of entries) {
      throwIfAborted(options.signal);
      if (++lookedAt > MOST_LOOKED_AT) throw tooMany(source, "holds", MOST_LOOKED_AT);
      const path = join(folder, entry.name);
      const name = relative(source, path);
      if (entry.isDirectory()) {
        if (choice.enters(name)) folders.push(path);
      } else if (choice.selects(name)) {
        const real = entry.isSymbolicLink() ? await linkTarget(path, source, choice) : path;
        const found =
          real === undefined ? undefined : await lstat(real, { bigint: true }).catch(() => undefined);
        if (real !== undefined && found?.isFile()) yield [name, described(real, found)];
        else
          skip(
            name,
            entry.isSymbolicLink() ? "the link leads to no file selected here" : "it is not an ordinary file",
          );
      }
    }
  }
}

async function linkTarget(path: string, source: string, choice: PathChoice): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || !isBelow(real, source)) return undefined;
  return choice.selects(relative(source, real)) ? real : undefined;
}

async function status(path: string, named: string): Promise<BigIntStats> {
  return lstat(path, { bigint: true }).catch((cause) => {
    throw new GloveboxError("file-missing", `"${named}" is not there any more; check the path.`, { cause });
  });
}

function described(hostPath: string, found: BigIntStats): Omit<HostFile, "path"> {
  const stamp = [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(":");
  return { hostPath, bytes: Number(found.size), stamp };
}

function tooMany(path: string, verb: string, most: number): GloveboxError {
  return new GloveboxError(
    "usage",
    `"${path}" ${verb} more than ${most.toLocaleString("en-US")} files and folders; name a folder further down, or narrow the globs.`,
  );
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new GloveboxError("aborted", "Stopped while host files were read.");
}
