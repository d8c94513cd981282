import type { Trouble } from "./model-failure.ts";

const DEPTH = 6;

/** What an error of the network means, however deep a package has wrapped it. */
export function transportTrouble(error: unknown): Trouble | undefined {
  const chain = causes(error);
  // Node's fetch says "terminated" when a body breaks off, and "fetch failed" when nothing came at all.
  if (chain.some((link) => link.message === "terminated")) return { kind: "broken-off" };
  const code = chain.map(systemCode).find((found) => found !== undefined);
  const failed = chain.some((link) => link.message === "fetch failed");
  return code || failed ? { kind: "connection", detail: code ?? "no connection" } : undefined;
}

function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let link = error; link instanceof Error && chain.length < DEPTH; link = link.cause) chain.push(link);
  return chain;
}

function systemCode(error: Error): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{3,}$/.test(code) ? code : undefined;
}
