// read the command line → serve on standard input and output → close what was opened when the client goes
import { type Glovebox, openGlovebox } from "../compose.ts";
import { defaultLimits, gloveboxHome, type SessionLimits } from "../config.ts";
import { GloveboxError } from "../errors.ts";
import { kindOfName } from "../mcp/session-names.ts";
import { serveMcpStdio } from "../mcp/stdio.ts";
import type { Session } from "../session/session.ts";
import { readArguments, refuseWords } from "./arguments.ts";
import { copyIn, type DataFile, findDataFiles } from "./data-files.ts";
import { Ending } from "./ending.ts";
import { exitStatus } from "./exit-status.ts";
import { Progress } from "./progress.ts";
import { SafeText } from "./safe-text.ts";
import { notEmpty, readLimits, readSandbox, type SandboxChoice, sessionFlags } from "./session-flags.ts";
import { reportSetup } from "./setup-progress.ts";
import type { Terminal } from "./terminal.ts";
import { packageVersion } from "./version.ts";

type BoxChoice = SandboxChoice & { readonly limits: Partial<SessionLimits> };

interface McpRequest {
  readonly session: string | undefined;
  readonly data: readonly string[];
  readonly box: BoxChoice;
}

const flags = { session: { type: "string" }, data: { type: "string" }, ...sessionFlags } as const;

export async function mcp(args: string[], terminal: Terminal): Promise<number> {
  const request = readRequest(args);
  const data = await findDataFiles(request.data, request.box.limits.workBytes ?? defaultLimits.workBytes);
  using ending = new Ending(terminal);
  const box = new LazyBox(request.box, terminal, ending.signal);
  ending.onForce(() => box.close());
  try {
    await serveMcpStdio({
      version: packageVersion(),
      home: gloveboxHome(),
      openBox: () => box.open(),
      session: request.session,
      ...(data.length > 0 ? { prepare: (session) => putIn(session, data, terminal, ending.signal) } : {}),
      signal: ending.signal,
      onLog: (line) => terminal.stderr.line(SafeText.whole(line)),
    });
  } finally {
    await box.close();
  }
  return ending.status ?? exitStatus.well;
}

function readRequest(args: string[]): McpRequest {
  const given = readArguments("mcp", args, flags);
  refuseWords("mcp", given);
  const session = given.value("session");
  if (session !== undefined && kindOfName(session) !== "kept") {
    throw new GloveboxError(
      "usage",
      `--session is "${session}", which stands for other sessions; take another name.`,
    );
  }
  return {
    session,
    data: given.values("data").map((path) => notEmpty("--data", path)),
    box: { ...readSandbox(given), limits: readLimits(given) },
  };
}

async function putIn(
  session: Session,
  data: readonly DataFile[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const progress = new Progress(terminal.stderr);
  await copyIn(session, data, progress, signal).finally(() => progress.stop());
}

/** A Glovebox that is opened when it is needed, and again when that failed. */
class LazyBox {
  readonly #choice: BoxChoice;
  readonly #terminal: Terminal;
  readonly #signal: AbortSignal;
  readonly #gone = new AbortController();
  #box: Promise<Glovebox> | undefined;
  #closing: Promise<void> | undefined;

  constructor(choice: BoxChoice, terminal: Terminal, signal: AbortSignal) {
    this.#choice = choice;
    this.#terminal = terminal;
    this.#signal = AbortSignal.any([signal, this.#gone.signal]);
  }

  open(): Promise<Glovebox> {
    this.#box ??= this.#open();
    return this.#box;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #open(): Promise<Glovebox> {
    const progress = new Progress(this.#terminal.stderr);
    try {
      if (this.#signal.aborted) throw new GloveboxError("aborted", "The server is ending.");
      return await openGlovebox({
        ...this.#choice,
        pool: 1,
        signal: this.#signal,
        onProgress: (step) => reportSetup(progress, step),
        onLog: (line) => this.#terminal.stderr.line(SafeText.whole(line)),
      });
    } catch (error) {
      this.#box = undefined;
      throw error;
    } finally {
      progress.stop();
    }
  }

  async #close(): Promise<void> {
    this.#gone.abort();
    const box = await this.#box?.catch(() => undefined);
    await box?.close();
  }
}
