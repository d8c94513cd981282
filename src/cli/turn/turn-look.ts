import type { Highlight } from "../highlight.ts";
import type { Pictures } from "../pictures/pictures.ts";

export type CodeMode = "auto" | "show" | "hide";

/** What the view of a turn needs to know beyond its events. */
export interface TurnLook {
  readonly code: CodeMode;
  readonly highlight: Highlight;
  readonly pictures: Pictures | undefined;
  /** Where a file of the session is, or will be, on this machine. */
  readonly locate: (sessionPath: string) => string | undefined;
  /** The bytes of a file of the session, unless it is too large to show. */
  readonly readFile: (sessionPath: string) => Buffer | undefined;
  /** Keeps output that is too long to show, and says where. */
  readonly keepOutput: (
    text: string,
    of: { readonly turn: string; readonly cell: number },
  ) => string | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}
