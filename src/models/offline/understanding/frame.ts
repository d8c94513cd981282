import type { Cell, Column, Table } from "../table.ts";
import type { Cue } from "./cues.ts";

export type Aggregate = "mean" | "median" | "sum" | "min" | "max" | "std" | "count" | "distinct";
export type Grain = "hour" | "day" | "week" | "month" | "quarter" | "year" | "weekday";
export type Order = "highest" | "lowest";

export type Filter =
  | { readonly kind: "is"; readonly column: Column; readonly values: readonly Cell[]; readonly not: boolean }
  | { readonly kind: "compare"; readonly column: Column; readonly operator: Operator; readonly value: number }
  | { readonly kind: "between"; readonly column: Column; readonly low: number; readonly high: number }
  /** ISO dates; the end is exclusive, and either may be open. */
  | {
      readonly kind: "period";
      readonly column: Column;
      readonly from: string | undefined;
      readonly until: string | undefined;
      readonly label: string;
    }
  | { readonly kind: "month"; readonly column: Column; readonly month: number };

export type Operator = ">" | ">=" | "<" | "<=" | "==";

/** What a question asks for, in the terms of one table. */
export interface Frame {
  readonly table: Table;
  readonly cues: ReadonlySet<Cue>;
  readonly metric: Column | undefined;
  /** Whether the metric was named, not supposed. */
  readonly metricNamed: boolean;
  /** Further columns that were named beside the metric, in order. */
  readonly others: readonly Column[];
  readonly aggregate: Aggregate | undefined;
  readonly groups: readonly Column[];
  readonly filters: readonly Filter[];
  readonly pair: { readonly column: Column; readonly a: Cell; readonly b: Cell } | undefined;
  readonly time: Column | undefined;
  readonly grain: Grain | undefined;
  readonly top: number | undefined;
  readonly order: Order | undefined;
  /** How many columns and values were named. */
  readonly named: number;
  /** Aggregates that the question has a word for, be it a column's name as well. */
  readonly said: ReadonlySet<Aggregate>;
  /** Words that mean nothing to us. */
  readonly unknown: readonly UnknownWord[];
  /** What must be served by the answer, or else there is none. */
  readonly doubts: readonly Doubt[];
}

/** A reason not to answer, unless the analysis serves it. */
export interface Doubt {
  readonly why: string;
  served(frame: Frame, analysis: string): boolean;
}

export interface UnknownWord {
  readonly text: string;
  /** What it seems to stand for. */
  readonly place: "group" | "value" | "other";
}
