import type { Engine } from "./engine.ts";

/** Whether containers live in a user namespace, rootless or remapped, in which only the first accounts exist. */
export async function hasFewAccounts(engine: Engine): Promise<boolean> {
  if (engine.isPodman) {
    return (await engine.run(["info", "--format", "{{.Host.Security.Rootless}}"])).trim() === "true";
  }
  return /name=(rootless|userns)/.test(await engine.run(["info", "--format", "{{json .SecurityOptions}}"]));
}
