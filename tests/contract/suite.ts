import { after, before, describe } from "node:test";
import type { Glovebox } from "../../src/index.ts";
import { filesContract } from "./files.ts";
import { librariesContract } from "./libraries.ts";
import { limitsContract } from "./limits.ts";
import { marksContract } from "./marks.ts";
import { outputContract } from "./output.ts";
import { resultsContract } from "./results.ts";
import { stateContract } from "./state.ts";

/** Gives the box of the suite that is running. */
export type Box = () => Glovebox;

/** What every sandbox must do; another sandbox is one more call of this. */
export function contractSuite(name: string, open: () => Promise<Glovebox>): void {
  describe(`the contract on ${name}`, () => {
    let box: Glovebox;
    before(async () => {
      box = await open();
    });
    after(() => box?.close());
    for (const part of [
      resultsContract,
      outputContract,
      stateContract,
      marksContract,
      filesContract,
      limitsContract,
      librariesContract,
    ]) {
      part(() => box);
    }
  });
}
