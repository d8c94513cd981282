// A host that is about to be killed: opens a Glovebox, starts a hostile cell, and tells where its processes are.
import { openGlovebox } from "../../src/index.ts";

const code = process.argv[2] ?? "";
const box = await openGlovebox({ limits: { memoryBytes: 256 << 20, processes: 32 } });
const session = await box.session();
const idle = await box.session();
const namespaces: unknown[] = [];
for (const each of [session, idle]) {
  const result = await each.run("import os; os.readlink('/proc/self/ns/pid')");
  if (result.kind === "object") namespaces.push(result.json);
}
await session.run(code, {
  timeoutMs: 60_000,
  onEvent: (event) =>
    event.type === "stdout-delta" && process.stdout.write(`${JSON.stringify(namespaces)}\n`),
});
