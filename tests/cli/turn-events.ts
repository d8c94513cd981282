import type { TurnResult } from "../../src/agent/agent.ts";
import { plainCode } from "../../src/cli/highlight.ts";
import type { TurnLook } from "../../src/cli/turn/turn-look.ts";
import { TurnView } from "../../src/cli/turn/turn-view.ts";
import type { AgentEvent } from "../../src/protocol/events.ts";
import { type RecordedTerminal, recordedTerminal, type TerminalKind } from "./screen.ts";

type Told = AgentEvent extends infer Event
  ? Event extends AgentEvent
    ? Omit<Event, "agent" | "turn">
    : never
  : never;

export interface Stage extends RecordedTerminal {
  readonly view: TurnView;
  readonly kept: { text: string; turn: string; cell: number }[];
  tell(...events: readonly Told[]): void;
  /** Lets time pass and the view draw. */
  pass(ms: number): void;
}

/** A view of a turn on a recorded terminal, with a clock that only the test moves. */
export function stage(kind: TerminalKind = {}, look: Partial<TurnLook> = {}): Stage {
  const recorded = recordedTerminal(kind);
  const kept: Stage["kept"] = [];
  let now = 0;
  const view = new TurnView(recorded.terminal, {
    code: "auto",
    highlight: plainCode,
    pictures: undefined,
    locate: (path) => path.replace("/mnt/data", "/home/me/kept"),
    readFile: () => undefined,
    keepOutput: (text, of) => {
      kept.push({ text, ...of });
      return "/home/me/outputs/1.txt";
    },
    now: () => now,
    ...look,
  });
  return {
    ...recorded,
    view,
    kept,
    tell: (...events) => {
      for (const event of events) view.take({ agent: "python-exec", turn: "turn_1", ...event } as AgentEvent);
    },
    pass: (ms) => {
      now += ms;
      view.draw();
    },
  };
}

export function turnOf(turn: Partial<TurnResult> = {}): TurnResult {
  return {
    reason: "answer",
    answer: "",
    model: "test/model",
    session: "s1",
    conversation: "c1",
    cells: [],
    files: [],
    hosted: [],
    usage: {
      input_tokens: 1204,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 96,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 1300,
    },
    items: [],
    ...turn,
  };
}
