import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { contractSuite } from "../contract/suite.ts";
import { engineBehaviour } from "./engine.ts";
import { World, whyNoWorld } from "./world.ts";

const why = await whyNoWorld();

if (why) {
  test("sessions in containers", { skip: why }, () => {});
} else {
  describe("sessions in containers", () => {
    let world: World;
    before(async () => {
      world = await World.stand();
    });
    after(() => world?.[Symbol.asyncDispose]());
    contractSuite("the docker sandbox", () => world.open({ pool: 2 }));
    test("no container is left of them", async () => assert.deepEqual(await world.daemon.containers(), []));
    engineBehaviour(() => world);
  });
}
