import type { CellResult, Display } from "../protocol/result.ts";

/** What happens while a cell runs, in order. */
export type CellEvent =
  | { readonly type: "cell-start"; readonly cell: number; readonly code: string }
  | { readonly type: "stdout-delta"; readonly cell: number; readonly text: string }
  | { readonly type: "stderr-delta"; readonly cell: number; readonly text: string }
  | { readonly type: "display"; readonly cell: number; readonly display: Display }
  | { readonly type: "cell-end"; readonly cell: number; readonly result: CellResult };
