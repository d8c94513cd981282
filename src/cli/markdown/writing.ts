import type { Paint } from "../colour.ts";
import type { Highlight } from "../highlight.ts";

/** How Markdown is written out: how wide, in which colours, and where its links lead. */
export interface Writing {
  readonly columns: number;
  readonly colour: boolean;
  readonly paint: Paint;
  /** Whether the terminal may be given links to click. */
  readonly links: boolean;
  readonly highlight: Highlight;
  /** Where a file of the session was saved on this machine, by its path in the session. */
  readonly locate: (sessionPath: string) => string | undefined;
}
