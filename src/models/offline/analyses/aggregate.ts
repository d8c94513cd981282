import { code } from "../markdown.ts";
import { type Column, isMeasure } from "../table.ts";
import { isEvent } from "../understanding/events.ts";
import type { Frame } from "../understanding/frame.ts";
import { mainMeasure } from "../understanding/measures.ts";
import { byGroup } from "./aggregate-by-group.ts";
import { overall } from "./aggregate-overall.ts";
import type { Analysis } from "./analysis.ts";
import * as say from "./phrasing.ts";

/** Average, total, count … of a column, by one or two others. */
export const aggregate: Analysis = {
  name: "aggregate",
  example(of) {
    const metric = mainMeasure(of) ?? of.columns.find(({ kind }) => kind === "number");
    const group =
      of.columns.find(({ kind }) => kind === "category") ?? of.columns.find(({ kind }) => kind === "boolean");
    if (!group) return metric ? `What is the average ${metric.name}?` : "How many rows are there?";
    const average = metric && /^(?:average|mean)/i.test(metric.name) ? "Median" : "Average";
    return metric ? `${average} ${metric.name} by ${group.name}` : `How many rows per ${group.name}?`;
  },
  fits({ table: of, aggregate: asked, metric, groups, order, filters, cues, top }) {
    if (asked || order || top !== undefined) {
      if (metric || groups.length > 0 || asked === "count") return 50;
      return asked && asked !== "distinct" && mainMeasure(of) ? 44 : 0;
    }
    if (metric && (groups.length > 0 || filters.length > 0)) return 45;
    return groups.length > 0 && (cues.has("group") || filters.length > 0 || cues.has("compare")) ? 42 : 0;
  },
  plan(frame) {
    const odd = frame.groups.find(({ kind }) => kind === "id" || kind === "text");
    const asked = frame.aggregate ?? [...frame.said][0];
    const computes = asked !== undefined && !["count", "distinct"].includes(asked);
    if (odd && computes && !frame.metric && !frame.cues.has("group")) {
      const holds = odd.kind === "id" ? "identifiers" : "text";
      return {
        refused: `${code(odd.name)} holds ${holds}: its ${say.AGGREGATE_NAMES[asked]} would say nothing.`,
      };
    }
    const groups = groupsOf(frame);
    const whole = { ...frame, metric: metricOf(frame) };
    if (computes && !(whole.metric && isMeasure(whole.metric)))
      return {
        refused: `I did not understand that: I find no column of numbers in the question to take the ${say.AGGREGATE_NAMES[asked]} of. Name one.`,
      };
    return groups.length > 0 ? byGroup(whole, groups) : overall(whole);
  },
};

/** A column that is only counted itself makes no groups. */
function groupsOf({ groups, aggregate: asked, metric, cues, order }: Frame): readonly Column[] {
  const counted = asked === "distinct" || (asked === "count" && cues.has("count"));
  return counted && !metric && !cues.has("group") && !order && groups.length === 1 ? [] : groups.slice(0, 2);
}

function metricOf(frame: Frame): Column | undefined {
  const { metric, aggregate: asked, order, cues } = frame;
  if (metric || asked === "count" || asked === "distinct" || isEvent(frame)) return metric;
  return asked || (order && !cues.has("rows") && !cues.has("count")) ? mainMeasure(frame.table) : undefined;
}
