import { GloveboxError } from "../errors.ts";
import { statusOf } from "./exit-status.ts";
import { jsonLine } from "./json-line.ts";
import { SafeText } from "./safe-text.ts";
import type { Terminal } from "./terminal.ts";

/** Says once what went wrong, to people on stderr or to programs on stdout, and gives the exit status. */
export function reportError(error: unknown, terminal: Terminal, options: { json: boolean }): number {
  const code = error instanceof GloveboxError ? error.code : "internal";
  const message = messageOf(error);
  if (options.json) terminal.stdout.write(jsonLine({ error: { code, message } }));
  else {
    const { stderr } = terminal;
    stderr.line(`${stderr.paint("red", "glovebox:")} ${SafeText.whole(message)}`);
  }
  if (process.env.GLOVEBOX_DEBUG === "1") {
    terminal.stderr.line(SafeText.whole(stackOf(error)));
  }
  return statusOf(error);
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof GloveboxError) return message;
  return `${message}. GLOVEBOX_DEBUG=1 shows where it comes from.`;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\nCaused by: ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
