// A process that writes cells into an audit log without end, and says each number once its line is written.
import { auditLog } from "../../src/telemetry/audit-log.ts";

const [file = "", name = ""] = process.argv.slice(2);
const take = auditLog({ file, mostBytes: 2 ** 40 });
const turn = { agent: "a", turn: name };
take({ ...turn, type: "turn-start", model: "m", provider: "p", conversation: name });
for (let cell = 1; ; cell++) {
  const code = `x = ${cell} # ${"code ".repeat(2000)}`;
  take({ ...turn, type: "cell-start", callId: "c", cell, code });
  take({
    ...turn,
    type: "cell-end",
    callId: "c",
    cell,
    result: { kind: "text", text: `${cell}`, cell, duration_ms: 1 },
  });
  process.stdout.write(`${cell}\n`);
}
