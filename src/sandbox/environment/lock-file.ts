import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { GloveboxError } from "../../errors.ts";

export type LockedRequirement = {
  name: string;
  version: string;
  marker?: string;
  hashCount: number;
  /** Asked for by name, not only needed by another package. */
  direct: boolean;
  /** The requirement as it stands in the file, with its hashes. */
  text: string;
};

export type RequirementsLock = { path: string; hash: string; requirements: LockedRequirement[] };

const requirementLine = /^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;\\]+)\s*(?:;\s*([^\\]+?))?\s*\\?$/;

export async function readLock(path: string): Promise<RequirementsLock> {
  const text = await readText(path);
  return { path, hash: hashOf(text), requirements: parseLock(text) };
}

export async function hashLock(path: string): Promise<string> {
  return hashOf(await readText(path));
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function readText(path: string): Promise<string> {
  return await readFile(path, "utf8").catch((cause: unknown) => {
    throw new GloveboxError("environment", `Cannot read the lock file ${path}; reinstall Glovebox.`, {
      cause,
    });
  });
}

export function directNames(lock: RequirementsLock): string[] {
  return [...new Set(lock.requirements.filter((one) => one.direct).map((one) => one.name))];
}

export function normalizedName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

function parseLock(text: string): LockedRequirement[] {
  const requirements: LockedRequirement[] = [];
  for (const line of text.split("\n")) {
    const [, name, version, marker] = requirementLine.exec(line) ?? [];
    const last = requirements.at(-1);
    if (name && version) {
      const found = { name: normalizedName(name), version, hashCount: 0, direct: false, text: line };
      requirements.push(marker ? { ...found, marker } : found);
    } else if (last && line.trim().startsWith("--hash=")) {
      last.hashCount += 1;
      last.text += `\n${line}`;
    } else if (last && /^\s+#.*-r /.test(line)) {
      last.direct = true;
    }
  }
  if (!requirements.some((one) => one.direct)) for (const one of requirements) one.direct = true;
  return requirements;
}
