import { createHash, randomBytes } from "node:crypto";
import { GloveboxError } from "../errors.ts";

/** What a name stands for: files that are kept, a session that ends with its client, or a container of the server. */
export type SessionKind = "kept" | "handle" | "container";

export const LOCAL_OWNER = "local";

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const HANDLE = /^s[0-9a-f]{24}$/;
const CONTAINER = /^cntr_/;
const OF_AN_OWNER = "owner_";
const LONGEST_ID = 64;

/** A name that nobody guesses, for a session that ends with its client. */
export function newHandle(): string {
  return `s${randomBytes(12).toString("hex")}`;
}

export function kindOfName(name: string): SessionKind {
  if (!NAME.test(name) || name.startsWith(OF_AN_OWNER)) throw unusable(name);
  if (HANDLE.test(name)) return "handle";
  return CONTAINER.test(name) ? "container" : "kept";
}

/** The id that the files of a kept session go by on the host: those of different owners never meet. */
export function sessionId(owner: string, name: string): string {
  const mark = createHash("sha256").update(owner).digest("hex").slice(0, 16);
  const id = owner === LOCAL_OWNER ? name : `${OF_AN_OWNER}${mark}_${name}`;
  if (id.length <= LONGEST_ID) return id;
  throw new GloveboxError(
    "usage",
    `The session name "${name}" is too long; take at most ${LONGEST_ID - id.length + name.length} characters.`,
  );
}

function unusable(name: string): GloveboxError {
  return new GloveboxError(
    "usage",
    `${JSON.stringify(name.slice(0, 100))} cannot name a session; take letters, digits, "-" and "_", at most 64.`,
  );
}
