import { z } from "zod";

const tokens = z.number().int().nonnegative();

/** What model calls cost, as the Responses API counts it. */
export const Usage = z.object({
  input_tokens: tokens,
  input_tokens_details: z.object({ cached_tokens: tokens }),
  output_tokens: tokens,
  output_tokens_details: z.object({ reasoning_tokens: tokens }),
  total_tokens: tokens,
  /** True where the provider gave no count and ours is a guess. */
  estimated: z.boolean().optional(),
});
export type Usage = z.infer<typeof Usage>;

export interface TokenCounts {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly reasoning?: number;
  readonly estimated?: boolean;
}

export function usageOf(counts: TokenCounts): Usage {
  return {
    input_tokens: counts.input,
    input_tokens_details: { cached_tokens: counts.cached ?? 0 },
    output_tokens: counts.output,
    output_tokens_details: { reasoning_tokens: counts.reasoning ?? 0 },
    total_tokens: counts.input + counts.output,
    ...(counts.estimated ? { estimated: true } : {}),
  };
}

export function addUsage(a: Usage, b: Usage): Usage {
  return usageOf({
    input: a.input_tokens + b.input_tokens,
    output: a.output_tokens + b.output_tokens,
    cached: a.input_tokens_details.cached_tokens + b.input_tokens_details.cached_tokens,
    reasoning: a.output_tokens_details.reasoning_tokens + b.output_tokens_details.reasoning_tokens,
    estimated: (a.estimated ?? false) || (b.estimated ?? false),
  });
}

export const noUsage: Usage = usageOf({ input: 0, output: 0 });
