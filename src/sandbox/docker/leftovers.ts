import { removeContainer } from "./container.ts";
import { ownerOf } from "./container-name.ts";
import type { Engine } from "./engine.ts";
import { isDead } from "./owner.ts";
import { OWNER_LABEL } from "./run-arguments.ts";

/** Removes the containers of processes of this machine that are over, and no others. */
export async function removeLeftovers(engine: Engine, signal?: AbortSignal): Promise<void> {
  const listed = await engine.run(
    ["ps", "--all", "--filter", `label=${OWNER_LABEL}`, "--format", "{{.Names}}"],
    { signal },
  );
  const names = listed.split("\n").map((name) => name.trim());
  const dead = names.filter((name) => {
    const owner = ownerOf(name);
    return owner !== undefined && isDead(owner);
  });
  await Promise.all(dead.map((name) => removeContainer(engine, name)));
}
