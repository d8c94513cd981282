import { GloveboxError } from "../errors.ts";
import type { HostFile } from "../session/host-files.ts";
import { cutText } from "../tools/bound-output.ts";
import { firstLines } from "../tools/host-files/first-lines.ts";
import type { SessionCopy } from "../tools/host-files/session-copies.ts";

const MOST_DESCRIBED = 8;
const MOST_LISTED = 100;
const MOST_LINES_CHARACTERS = 1_500;
const MOST_CHARACTERS = 16_000;

/** The files of a session in words: where they are, how large, and how the first of them begin. Untrusted text throughout. */
export async function describeCopies(copies: readonly SessionCopy[], signal?: AbortSignal): Promise<string> {
  const parts: string[] = [];
  for (const [index, { file, path }] of copies.slice(0, MOST_LISTED).entries()) {
    // As JSON, so that a name with line breaks stays one line.
    const line = `${JSON.stringify(path)}, ${file.bytes.toLocaleString("en-US")} bytes`;
    parts.push(index < MOST_DESCRIBED ? `${line}${await beginning(file, signal)}` : line);
  }
  const rest = copies.length - MOST_LISTED;
  if (rest > 0) parts.push(`and ${rest} more files`);
  return cutText(parts.join("\n"), MOST_CHARACTERS);
}

async function beginning(file: HostFile, signal: AbortSignal | undefined): Promise<string> {
  try {
    const { type, encoding, text } = await firstLines(file, signal ? { signal } : {});
    const kind = encoding ? `${type}, ${encoding}` : type;
    return text ? `, ${kind}; it begins:\n${cutText(text, MOST_LINES_CHARACTERS)}\n` : `, ${kind}`;
  } catch (error) {
    // What has gone from the host since is still in the session.
    if (error instanceof GloveboxError && error.code !== "aborted") return "";
    throw error;
  }
}
