// name the command → load only its code → run it → say what went wrong → leave with its status
import { findCommand } from "./commands.ts";
import { exitStatus } from "./exit-status.ts";
import { helpOn, overview } from "./help.ts";
import { reportError } from "./report-error.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { packageVersion } from "./version.ts";

exitWithLauncher();
const words = process.argv.slice(2);
const ours = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
const terminal = openTerminal({ noColour: ours.includes("--no-color") });
process.exit(await attempt(words, terminal));

async function attempt(words: string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(words, terminal);
  } catch (error) {
    return reportError(error, terminal, { json: wantsJson(ours) });
  }
}

async function dispatch(words: string[], terminal: Terminal): Promise<number> {
  const [first, ...rest] = words.filter((word, index) => index > 0 || word !== "--no-color");
  if (first === "--version" || first === "-V" || first === "version") {
    return say(terminal, packageVersion());
  }
  if (first === undefined) {
    terminal.stderr.line(overview());
    return exitStatus.usage;
  }
  if (first === "--help" || first === "-h") return say(terminal, overview());
  if (first === "help") return say(terminal, rest[0] ? helpOn(findCommand(rest[0])) : overview());
  const command = findCommand(first);
  const flags = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (flags.includes("--help") || flags.includes("-h")) return say(terminal, helpOn(command));
  const run = await command.load();
  return run(rest, terminal);
}

function wantsJson(words: string[]): boolean {
  const format = words.lastIndexOf("--format");
  return (
    words.includes("--json") ||
    words.includes("--format=json") ||
    (format >= 0 && words[format + 1] === "json")
  );
}

function say(terminal: Terminal, text: string): number {
  terminal.stdout.line(text);
  return exitStatus.well;
}

/** The launcher's channel closes when it dies, even by SIGKILL; it does not keep us alive. */
function exitWithLauncher(): void {
  if (!process.channel) return;
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}
