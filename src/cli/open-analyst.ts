// find the conversation to go on with → start the sandbox, find out what the screen can → open session and analyst
import type { Analyst } from "../agent/analyst.ts";
import { openGlovebox } from "../compose.ts";
import { gloveboxHome } from "../config.ts";
import type { Session } from "../session/session.ts";
import type { AnalystRequest } from "./analyst-flags.ts";
import type { Ending } from "./ending.ts";
import { KeptSession } from "./kept-session.ts";
import { type LastConversation, lastConversation, rememberConversation } from "./last-conversation.ts";
import type { OutFolder } from "./out-folder.ts";
import { Progress } from "./progress.ts";
import { type ScreenParts, screenParts } from "./screen-parts.ts";
import { reportSetup } from "./setup-progress.ts";
import type { Terminal } from "./terminal.ts";
import type { TurnLook } from "./turn/turn-look.ts";

export interface AnalystWork {
  readonly request: AnalystRequest;
  readonly paths: readonly string[];
  readonly out: OutFolder | undefined;
  readonly terminal: Terminal;
  readonly ending: Ending;
}

export interface OpenAnalyst extends AsyncDisposable {
  readonly analyst: Analyst;
  readonly session: Session;
  readonly kept: KeptSession;
  readonly look: TurnLook;
  /** Makes this conversation the one that --continue goes on with, once something was said; false before that. */
  remember(): Promise<boolean>;
}

export async function openAnalyst(work: AnalystWork): Promise<OpenAnalyst> {
  const { request, terminal, ending } = work;
  const home = gloveboxHome();
  const last = request.again ? await lastConversation(home) : undefined;
  const progress = new Progress(terminal.stderr);
  let close = async () => {};
  try {
    progress.wait("Starting the sandbox");
    const [box, screen] = await Promise.all([
      openGlovebox({
        ...request.walls,
        home,
        limits: request.limits,
        pool: 0,
        signal: ending.signal,
        onProgress: (step) => reportSetup(progress, step),
      }),
      screenParts(work),
    ]);
    let closing: Promise<void> | undefined;
    close = () => (closing ??= box.close());
    ending.onForce(close);
    ending.throwIfAsked();
    const kept = new KeptSession(home, last?.session ?? request.session ?? KeptSession.newId());
    const session = await box.session({ id: kept.id });
    const analyst = await box.analyst({ session, ...analystOptions(work, last) });
    ending.throwIfAsked();
    return {
      analyst,
      session,
      kept,
      look: lookOf(work, kept, screen),
      async remember() {
        const { id, items } = analyst.conversation;
        if (items.length > 0) await rememberConversation(home, { session: kept.id, conversation: id });
        return items.length > 0;
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  } finally {
    progress.stop();
  }
}

function analystOptions({ request, paths }: AnalystWork, last: LastConversation | undefined) {
  const { timeoutMs } = request.limits;
  return {
    ...(request.model === undefined ? {} : { model: request.model }),
    ...(last ? { conversation: last.conversation } : {}),
    ...(timeoutMs === undefined ? {} : { limits: { timeMs: timeoutMs } }),
    files: paths,
    tools: request.tools,
    settings: request.settings,
  };
}

function lookOf({ request, out }: AnalystWork, kept: KeptSession, screen: ScreenParts): TurnLook {
  return {
    ...screen,
    code: request.code,
    locate: (path) => {
      const name = KeptSession.nameOf(path);
      const there = kept.locate(path);
      return out && name && there ? out.locate(name) : there;
    },
    readFile: (path) => kept.read(path),
    keepOutput: (text, of) => kept.keepOutput(text, of),
    now: () => performance.now(),
  };
}
