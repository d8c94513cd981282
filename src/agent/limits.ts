import { GloveboxError } from "../errors.ts";

export interface AgentLimits {
  /** Model calls a turn. */
  readonly steps: number;
  /** Tokens a turn, in and out together. */
  readonly tokens: number;
  readonly timeMs: number;
  /** Tokens of a conversation that a model is told; older turns are summarised or left out. */
  readonly contextTokens: number;
  /** Bytes of one tool's output that a model reads. */
  readonly outputBytes: number;
}

export const defaultAgentLimits: AgentLimits = {
  steps: 30,
  tokens: 2_000_000,
  timeMs: 15 * 60_000,
  contextTokens: 100_000,
  outputBytes: 8 * 1024,
};

const LEAST: AgentLimits = { steps: 1, tokens: 1, timeMs: 1, contextTokens: 1000, outputBytes: 512 };

export function resolveAgentLimits(given: Partial<AgentLimits>): AgentLimits {
  const limits = { ...defaultAgentLimits, ...given };
  for (const name of Object.keys(LEAST) as (keyof AgentLimits)[]) {
    if (Number.isSafeInteger(limits[name]) && limits[name] >= LEAST[name]) continue;
    throw new GloveboxError(
      "usage",
      `The agent's ${name} is ${limits[name]}; it must be a whole number of at least ${LEAST[name]}.`,
    );
  }
  return limits;
}
