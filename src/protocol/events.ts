import type { Item } from "./items.ts";
import type { CellResult, Display } from "./result.ts";
import type { Usage } from "./usage.ts";

/** What happens while a cell runs, in order. */
export type CellEvent =
  | { readonly type: "cell-start"; readonly cell: number; readonly code: string }
  | { readonly type: "stdout-delta"; readonly cell: number; readonly text: string }
  | { readonly type: "stderr-delta"; readonly cell: number; readonly text: string }
  | { readonly type: "display"; readonly cell: number; readonly display: Display }
  | { readonly type: "cell-end"; readonly cell: number; readonly result: CellResult };

export type TurnEnding =
  | "answer"
  | "steps"
  | "tokens"
  | "time"
  | "length"
  | "content-filter"
  /** Functions of the caller's own were called, and are left to it. */
  | "client-calls"
  | "aborted"
  | "failed";

/** What happens while an agent works on a turn, in order. `agent` says whose turn it is, `step` counts its model calls. */
export type AgentEvent = { readonly agent: string; readonly turn: string } & (
  | {
      readonly type: "turn-start";
      readonly model: string;
      readonly provider: string;
      readonly conversation: string;
    }
  | { readonly type: "step-start"; readonly step: number }
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  /** A tool call begins to be written by the model. */
  | { readonly type: "call-start"; readonly callId: string; readonly tool: string }
  /** The code of a call, as it is written. */
  | { readonly type: "code-delta"; readonly callId: string; readonly text: string }
  /** The arguments of a call that the caller is to answer, as they are written. */
  | { readonly type: "arguments-delta"; readonly callId: string; readonly text: string }
  /** A finished item: what the model said, or what a tool answered. */
  | { readonly type: "item"; readonly item: Item }
  /** A call was read and is now run. */
  | {
      readonly type: "tool-start";
      readonly callId: string;
      readonly tool: string;
      /** The one line a person sees while it runs. */
      readonly intent?: string;
      readonly code?: string;
    }
  | (CellEvent & { readonly callId: string })
  | { readonly type: "file"; readonly callId: string; readonly path: string; readonly bytes: number }
  /** What the tool came to; `output` is what the model reads. */
  | {
      readonly type: "tool-end";
      readonly callId: string;
      readonly tool: string;
      readonly success: boolean;
      readonly output: string;
    }
  /** What one step cost. */
  | { readonly type: "usage"; readonly step: number; readonly usage: Usage; readonly requestId?: string }
  | { readonly type: "notice"; readonly text: string }
  /** One of several agents begins its part: "[1/2] …". */
  | { readonly type: "stage-start"; readonly stage: number; readonly of: number; readonly title: string }
  | {
      readonly type: "turn-end";
      readonly reason: TurnEnding;
      readonly answer: string;
      readonly usage: Usage;
      readonly error?: string;
    }
);
