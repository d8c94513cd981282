import type { Frame } from "../understanding/frame.ts";
import { aggregate } from "./aggregate.ts";
import type { Analysis } from "./analysis.ts";
import { compare } from "./compare.ts";
import { correlations } from "./correlations.ts";
import { describe } from "./describe.ts";
import { distribution } from "./distribution.ts";
import { duplicates } from "./duplicates.ts";
import { factors } from "./factors.ts";
import { head } from "./head.ts";
import { influence } from "./influence.ts";
import { missing } from "./missing.ts";
import { outliers } from "./outliers.ts";
import { segments } from "./segments.ts";
import { share } from "./share.ts";
import { topRows } from "./top-rows.ts";
import { trend } from "./trend.ts";

/** Everything that can be asked; an analysis is one file and one line here. */
export const ANALYSES: readonly Analysis[] = [
  describe,
  factors,
  influence,
  segments,
  aggregate,
  compare,
  trend,
  distribution,
  topRows,
  share,
  correlations,
  outliers,
  missing,
  duplicates,
  head,
];

/** The analysis that a frame asks for the most surely. */
export function analysisFor(frame: Frame): Analysis | undefined {
  let best: { analysis: Analysis; fit: number } | undefined;
  for (const analysis of ANALYSES) {
    const fit = analysis.fits(frame);
    if (fit > (best?.fit ?? 0)) best = { analysis, fit };
  }
  return best?.analysis;
}
