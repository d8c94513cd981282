import type { z } from "zod";
import type { Table } from "../table.ts";
import type { Frame } from "../understanding/frame.ts";

/** A cell to run, and how its facts become an answer. */
export interface Plan {
  /** The one line that a person sees while it runs. */
  readonly intent: string;
  readonly code: string;
  /** Markdown; undefined when the facts are none of this cell's. */
  readonly answer: (facts: unknown) => string | undefined;
}

/** Why the table cannot answer, in a sentence. */
export interface Refusal {
  readonly refused: string;
}

/** One kind of question: how it is recognised, the code that answers it and the words for what comes out. */
export interface Analysis {
  readonly name: string;
  /** A question of this kind in the table's own words. */
  example(table: Table): string | undefined;
  /** How surely the frame asks for this; 0 is not at all. */
  fits(frame: Frame): number;
  plan(frame: Frame): Plan | Refusal;
}

/** An answer writer that is given only facts of the shape it expects. */
export function answering<Facts>(shape: z.ZodType<Facts>, write: (facts: Facts) => string): Plan["answer"] {
  return (facts) => {
    const read = shape.safeParse(facts);
    return read.success ? write(read.data) : undefined;
  };
}
