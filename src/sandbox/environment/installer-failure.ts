import { statfs } from "node:fs/promises";
import { GloveboxError } from "../../errors.ts";
import type { CommandResult } from "./run-command.ts";

const shownLines = 8;
const noRoomBytes = 20_000_000;

const hashMismatch = /do not match the hashes|hash mismatch/i;
const noConnection =
  /connection broken|NewConnectionError|Max retries exceeded|timed out|SSLError|ProxyError|dns error|tcp connect error|error sending request|Failed to fetch|\(from versions: none\)|was not found in the (package registry|provided package locations)|network was disabled|HTTP error [45]\d\d|HTTP status (client|server) error/i;

/** What went wrong on the way to the index; undefined when the index was reached and what it gave was wrong. */
export function unreachableReason(result: CommandResult): string | undefined {
  if (hashMismatch.test(result.lines.join("\n"))) return undefined;
  return result.lines
    .find((line) => noConnection.test(line))
    ?.trim()
    .slice(0, 300);
}

export async function installerFailure(
  tool: string,
  result: CommandResult,
  prefix: string,
): Promise<GloveboxError> {
  const text = result.lines.join("\n");
  const cause = new Error(`${tool} ended with ${result.ending}\n${result.lines.slice(-60).join("\n")}`);
  const message = `${tool} could not make the Python environment: ${await advice(text, prefix)}`;
  return new GloveboxError("environment", `${message}\n${usefulLines(result.lines).join("\n")}`, { cause });
}

export function usefulLines(lines: string[]): string[] {
  const written = lines.map((line) => line.trimEnd()).filter((line) => line.trim() !== "");
  const telling = written.filter((line) =>
    /error|errno|fail|caused? by|cause:|hash|expected|got {2}|[×╰├]/i.test(line),
  );
  return (telling.length > 0 ? telling : written).slice(-shownLines).map((line) => line.slice(0, 400));
}

async function advice(text: string, prefix: string): Promise<string> {
  if (/No space left|ENOSPC|os error 28/i.test(text) || (await isFull(prefix)))
    return `the disk of ${prefix} is full. Free about 2 GB there and run \`glovebox setup\` again.`;
  if (hashMismatch.test(text))
    return "a download is not the file that the lock names. Check the package index you use, then run `glovebox setup` again.";
  if (noConnection.test(text))
    return "the package index did not answer. Check the network, proxy and index settings, then run `glovebox setup` again.";
  return "its last lines say why. Mend that and run `glovebox setup` again.";
}

async function isFull(prefix: string): Promise<boolean> {
  const disk = await statfs(prefix).catch(() => undefined);
  return (
    disk !== undefined && (disk.bavail * disk.bsize < noRoomBytes || (disk.files > 0 && disk.ffree === 0))
  );
}
