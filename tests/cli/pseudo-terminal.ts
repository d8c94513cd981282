import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { Screen } from "./screen.ts";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const PATIENCE_MS = 60_000;

export interface PseudoTerminal {
  readonly screen: Screen;
  /** Everything that was written, byte for byte. */
  readonly written: () => string;
  type(keys: string): void;
  /** Waits until the screen shows it. */
  shows(pattern: RegExp): Promise<void>;
  readonly status: Promise<number | null>;
}

export interface TerminalCall {
  readonly env: Record<string, string | undefined>;
  readonly columns?: number;
  readonly rows?: number;
}

/** The command line in a terminal, with somebody at its keyboard. */
export function atTerminal(args: readonly string[], call: TerminalCall): PseudoTerminal {
  const { columns = 90, rows = 40 } = call;
  const words = [process.execPath, "--disable-warning=ExperimentalWarning", main, ...args];
  const command = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = spawn(
    "script",
    ["-qefc", `stty cols ${columns} rows ${rows}; exec ${command}`, "/dev/null"],
    {
      env: {
        ...process.env,
        NO_COLOR: undefined,
        FORCE_COLOR: undefined,
        TMUX: undefined,
        ...terminal,
        ...call.env,
      },
      stdio: "pipe",
    },
  );
  after(() => child.kill("SIGKILL"));
  return watch(child, new Screen(columns, rows));
}

// A terminal that is known to draw no pictures is not asked whether it does.
const terminal = { TERM: "xterm", TERM_PROGRAM: "Apple_Terminal" };

function watch(child: ChildProcessWithoutNullStreams, screen: Screen): PseudoTerminal {
  let written = "";
  let changed = () => {};
  const decoder = new TextDecoder();
  child.stdin.on("error", () => {});
  child.stdout.on("data", (data: Buffer) => {
    const text = decoder.decode(data, { stream: true });
    written += text;
    screen.write(text);
    changed();
  });
  const status = once(child, "close").then(([code]) => code as number | null);
  void status.then(() => changed());
  return {
    screen,
    written: () => written,
    type: (keys) => void child.stdin.write(keys),
    status,
    async shows(pattern) {
      const late = AbortSignal.timeout(PATIENCE_MS);
      while (!pattern.test(screen.text)) {
        if (child.exitCode !== null || late.aborted) {
          throw new Error(`The screen never showed ${pattern}:\n${screen.text}`);
        }
        await new Promise<void>((resolve) => {
          changed = resolve;
          late.addEventListener("abort", () => resolve(), { once: true });
        });
      }
    },
  };
}
