import assert from "node:assert/strict";
import type { CellResult } from "../../src/index.ts";

export type Oracle = (results: readonly CellResult[]) => void;

export function last(results: readonly CellResult[]): CellResult {
  const result = results.at(-1);
  assert.ok(result, "the case ran no cell");
  return result;
}

/** The last cell failed with one of these names. */
export function failsWith(...names: string[]): Oracle {
  return (results) => {
    const result = last(results);
    assert.equal(result.kind, "error", `expected ${names.join(" or ")}, got ${brief(result)}`);
    assert.ok(
      result.kind === "error" && names.includes(result.name),
      `expected ${names.join(" or ")}, got ${brief(result)}`,
    );
  };
}

/** The last cell's value, as JSON. */
export function gives(expected: unknown): Oracle {
  return (results) => {
    const result = last(results);
    assert.equal(result.kind, "object", `expected a value, got ${brief(result)}`);
    assert.deepEqual(result.kind === "object" && result.json, expected);
  };
}

export function prints(expected: string | RegExp): Oracle {
  return (results) => {
    const said = printed(last(results));
    if (typeof expected === "string") assert.equal(said, expected, brief(last(results)));
    else assert.match(said, expected, brief(last(results)));
  };
}

/** The last cell came to an end that is not an error. */
export const succeeds: Oracle = (results) =>
  assert.notEqual(last(results).kind, "error", brief(last(results)));

/** Nothing of what was attempted succeeded. */
export const gotNothing: Oracle = gives([]);

export function printed(result: CellResult): string {
  return result.stdout ?? (result.kind === "text" ? result.text : "");
}

export function brief(result: CellResult): string {
  return JSON.stringify(result, (_, value) =>
    typeof value === "string" ? value.slice(0, 400) : value,
  ).slice(0, 1500);
}

/** The cell died of a signal or exit, which the result names. */
export function diesOf(words: RegExp): Oracle {
  return (results) => {
    const result = last(results);
    assert.ok(result.kind === "error", `expected a death, got ${brief(result)}`);
    assert.match(`${result.name}: ${result.message}`, words);
    assert.match(result.notice ?? "", /restored|anew/, "the restart is not said");
  };
}
