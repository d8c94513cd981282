import { code } from "../markdown.ts";
import { isMeasure } from "../table.ts";
import { mainMeasure } from "../understanding/measures.ts";
import type { Analysis } from "./analysis.ts";
import { betweenGroups } from "./influence-between-groups.ts";
import { amongGroups } from "./influence-of-groups.ts";
import { amongNumbers } from "./influence-of-numbers.ts";

/** How one column goes with another: a number with a number, groups with a number, groups with groups. */
export const influence: Analysis = {
  name: "influence",
  example(of) {
    const y = mainMeasure(of) ?? of.columns.find(({ kind }) => kind === "number");
    const x = of.columns.find((column) => column !== y && column.kind === "number");
    return x && y ? `How does ${x.name} influence ${y.name}?` : undefined;
  },
  fits({ cues, metric, others, groups }) {
    if (!metric || others.length + groups.length === 0) return 0;
    if (cues.has("factors") && others.length > 0 && !cues.has("influence")) return 78;
    if (cues.has("influence") || cues.has("correlation") || cues.has("change")) return 85;
    if (others.length === 1 && groups.length === 0) return cues.has("compare") || cues.has("chart") ? 60 : 38;
    return 0;
  },
  plan(frame) {
    const y = frame.metric;
    const x = frame.others[0] ?? frame.groups[0];
    if (!x || !y) return { refused: "Name two columns, and I look at how they go together." };
    const odd = [x, y].find(
      ({ kind }) => kind === "id" || kind === "text" || kind === "constant" || kind === "empty",
    );
    if (odd) {
      const why = {
        id: "identifiers",
        text: "free text",
        constant: "one and the same value",
        empty: "no values",
      };
      return {
        refused: `${code(odd.name)} holds ${why[odd.kind as keyof typeof why]}, so nothing can go with it.`,
      };
    }
    if (x.kind === "date" || y.kind === "date")
      return { refused: `One of the two is a date; ask for a trend over time instead.` };
    if (isMeasure(x) && isMeasure(y) && x.kind === "number") return amongNumbers(frame, x, y);
    if (isMeasure(y)) return amongGroups(frame, x, y);
    if (isMeasure(x) && x.kind === "number") return amongGroups(frame, y, x);
    return betweenGroups(frame, x, y);
  },
};
