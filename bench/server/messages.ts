/** What the process of the server tells the one that measures. */
export type ServerMessage =
  | { readonly url: string }
  /** The time that the model took for one of its steps. */
  | { readonly modelMs: number };

/** A question that begins so is answered by way of a cell with the rest of it. */
export const RUN = "run: ";
