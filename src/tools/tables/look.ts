import { z } from "zod";
import type { CellResult } from "../../protocol/result.ts";
import { pythonLiteral } from "../../support/python-literal.ts";
import type { ToolContext } from "../tool.ts";

export interface LookRequest {
  readonly path: string;
  readonly dfName: string;
  readonly columns: readonly string[] | undefined;
  readonly rows: number | undefined;
  readonly asText: boolean;
}

const LONGEST_CODE = 200_000;
const LONGEST_LOOK_S = 20;

const Seen = z.union([
  z.object({ refused: z.object({ name: z.string().max(100), message: z.string().max(5000) }) }),
  z.object({
    code: z.string().max(LONGEST_CODE),
    notice: z.string().max(5000),
    columns: z.array(z.string().max(200)).max(200),
    rows: z.number().int().nullable(),
  }),
]);
export type Seen = z.infer<typeof Seen>;

/** Finds out inside the walls how a file is to be loaded. The cell that does so is not shown; the one that loads it is. */
export async function lookAt(
  request: LookRequest,
  context: ToolContext,
): Promise<{ readonly seen: Seen | undefined; readonly result: CellResult }> {
  const { session, signal, deadline } = context;
  const leftMs = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - performance.now();
  const timeoutMs = Math.max(1, Math.min(leftMs, session.limits.timeoutMs));
  const { path, dfName, columns, rows, asText } = request;
  const given = [path, dfName, columns ? [...columns] : null, rows ?? null, asText, seconds(timeoutMs)];
  const code = `__import__("glovebox_kernel").tables.look(${given.map(pythonLiteral).join(", ")})`;
  const result = await session.run(code, { signal, timeoutMs });
  const seen = result.kind === "object" ? Seen.safeParse(result.json) : undefined;
  return { seen: seen?.data, result };
}

/** A third of the cell's time, so that there is some left to load in. */
function seconds(timeoutMs: number): number {
  return Math.min(LONGEST_LOOK_S, timeoutMs / 3000);
}
