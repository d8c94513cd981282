// choose the files → find or make the container → send the files → [ask: stream the response as a turn → bring its files]
import { join } from "node:path";
import type { AskOptions, TurnResult } from "../../agent/agent.ts";
import type { Analyst } from "../../agent/analyst.ts";
import { gloveboxHome } from "../../config.ts";
import { GloveboxError } from "../../errors.ts";
import { KeptSession } from "../kept-session.ts";
import type { AnalystWork } from "../open-analyst.ts";
import { Progress } from "../progress.ts";
import { countOf } from "../quantities.ts";
import { SafeText } from "../safe-text.ts";
import { type ScreenParts, screenParts } from "../screen-parts.ts";
import type { TurnLook } from "../turn/turn-look.ts";
import { REMOTE_INSTRUCTIONS } from "./instructions.ts";
import { RemoteFiles } from "./remote-files.ts";
import type { RemoteServer } from "./remote-flags.ts";
import { RemoteTurn } from "./remote-turn.ts";
import { ServerApi } from "./server-api.ts";
import { chooseFiles, uploadFiles } from "./upload.ts";

export interface RemoteWork extends AnalystWork {
  readonly server: RemoteServer;
}

/** The same as an analyst that is open here, as far as asking goes. */
export interface OpenRemote extends AsyncDisposable {
  readonly analyst: Pick<Analyst, "ask">;
  readonly kept: KeptSession;
  readonly look: TurnLook;
  /** How a person goes on in the same container. */
  readonly goOn: string;
  /** Whether there is something to go on with. */
  remember(): Promise<boolean>;
  /** Copies the files of a turn to this machine, and says what could not be copied. */
  bring(turn: TurnResult, signal: AbortSignal): Promise<readonly GloveboxError[]>;
}

const FAREWELL_MS = 2000;

export async function openRemote(work: RemoteWork): Promise<OpenRemote> {
  const { server, request, terminal, ending } = work;
  const { signal } = ending;
  const api = new ServerApi(server);
  const progress = new Progress(terminal.stderr);
  let made: string | undefined;
  let begun = false;
  // Nobody knows of a container in which nothing was asked.
  const close = async () => {
    if (made && !begun) await api.removeContainer(made, AbortSignal.timeout(FAREWELL_MS)).catch(() => {});
    made = undefined;
  };
  ending.onForce(close);
  try {
    progress.wait(`Asking ${server.url}`);
    const [screen, chosen] = await Promise.all([screenParts(work), chooseFiles(work.paths, signal)]);
    for (const notice of chosen.notices)
      terminal.stderr.line(terminal.stderr.paint("dim", SafeText.whole(notice)));
    const container = await containerOf(api, work);
    if (request.session === undefined) made = container;
    await uploadFiles(chosen.files, { api, container }, progress, signal);
    const kept = new KeptSession(join(gloveboxHome(), "remote"), container);
    const files = await RemoteFiles.open({ api, container, kept }, signal);
    const onBegun = () => {
      begun = true;
    };
    return {
      analyst: {
        ask: (question, options) => ask({ api, container, files, work, onBegun }, question, options),
      },
      kept,
      look: lookOf(work, { kept, files, screen }),
      goOn: `glovebox ask --server ${server.url} --session ${container}`,
      remember: async () => begun,
      bring: (turn, stop) => bring(turn, files, work, stop),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  } finally {
    progress.stop();
  }
}

async function containerOf(api: ServerApi, { server, request, ending }: RemoteWork): Promise<string> {
  if (request.session !== undefined) return api.findContainer(request.session, ending.signal);
  const wanted = { name: "glovebox ask", ...(server.memory ? { memory_limit: server.memory } : {}) };
  return api.createContainer(wanted, ending.signal);
}

interface Asking {
  readonly api: ServerApi;
  readonly container: string;
  readonly files: RemoteFiles;
  readonly work: RemoteWork;
  readonly onBegun: () => void;
}

/** A connection that is closed ends the response on the server, and the cell with it. */
async function ask(
  { api, container, files, work, onBegun }: Asking,
  question: string,
  { signal, onEvent = () => {} }: AskOptions = {},
): Promise<TurnResult> {
  const { timeoutMs } = work.request.limits;
  const asked = signal ?? new AbortController().signal;
  const stop = timeoutMs === undefined ? asked : AbortSignal.any([asked, AbortSignal.timeout(timeoutMs)]);
  const turn = new RemoteTurn({ container, files, onEvent });
  try {
    for await (const event of api.respond(bodyOf(question, container, work), stop)) {
      onBegun();
      await turn.take(event, stop);
      if (turn.ended) return turn.result();
    }
  } catch (error) {
    if (!stop.aborted) throw error;
    return turn.result(asked.aborted ? "aborted" : "time");
  }
  throw new GloveboxError(
    "model-unreachable",
    `${api.url} ended the connection before the answer was whole; ask again.`,
  );
}

function bodyOf(question: string, container: string, { request }: RemoteWork): object {
  const { model, settings } = request;
  return {
    ...(model === undefined ? {} : { model }),
    input: question,
    instructions: REMOTE_INSTRUCTIONS,
    tools: [{ type: "code_interpreter", container }],
    include: ["code_interpreter_call.outputs"],
    ...(settings.reasoningEffort === undefined ? {} : { reasoning: { effort: settings.reasoningEffort } }),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
  };
}

async function bring(
  turn: TurnResult,
  files: RemoteFiles,
  { terminal }: RemoteWork,
  signal: AbortSignal,
): Promise<readonly GloveboxError[]> {
  if (signal.aborted) return [];
  const progress = new Progress(terminal.stderr);
  const step = `Bringing ${countOf(turn.files.length, "file")}`;
  try {
    return await files.bring(turn.answer, { signal, onFile: (name) => progress.wait(step, name) });
  } finally {
    progress.stop();
  }
}

interface Shown {
  readonly kept: KeptSession;
  readonly files: RemoteFiles;
  readonly screen: ScreenParts;
}

/** A file is named where it will be as soon as the answer is whole. */
function lookOf({ request, out }: RemoteWork, { kept, files, screen }: Shown): TurnLook {
  return {
    ...screen,
    code: request.code,
    locate: (path) => {
      const name = files.has(path) ? KeptSession.nameOf(path) : undefined;
      if (name === undefined) return undefined;
      return out ? out.locate(name) : join(kept.files, name);
    },
    readFile: (path) => files.picture(path),
    keepOutput: (text, of) => kept.keepOutput(text, of),
    now: () => performance.now(),
  };
}
