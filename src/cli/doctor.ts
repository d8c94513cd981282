import { lockFile, openGlovebox } from "../compose.ts";
import { gloveboxHome } from "../config.ts";
import { examine } from "../sandbox/doctor/examine.ts";
import { findEnvironment } from "../sandbox/environment/find.ts";
import { readArguments, refuseWords } from "./arguments.ts";
import { type Diagnosis, formatDiagnosis } from "./doctor-report.ts";
import { Ending } from "./ending.ts";
import { exitStatus } from "./exit-status.ts";
import { jsonLine } from "./json-line.ts";
import { Progress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";
import { packageVersion } from "./version.ts";

/** Tries walls and limits on this machine and says what is not in force. */
export async function doctor(args: string[], terminal: Terminal): Promise<number> {
  const given = readArguments("doctor", args, { json: { type: "boolean" } });
  refuseWords("doctor", given);
  using ending = new Ending(terminal);
  const diagnosis = await diagnose(terminal, ending);
  if (ending.status !== undefined) return ending.status;
  if (given.has("json")) terminal.stdout.write(jsonLine(forPrograms(diagnosis)));
  else terminal.stdout.line(formatDiagnosis(diagnosis, terminal.stdout));
  return diagnosis.ok ? exitStatus.well : exitStatus.noSandbox;
}

async function diagnose(terminal: Terminal, ending: Ending): Promise<Diagnosis> {
  const progress = new Progress(terminal.stderr);
  let close = async () => {};
  try {
    const environment = await findEnvironment({ home: gloveboxHome(), lockFile });
    const checks = await examine({
      environment,
      onStep(step) {
        ending.throwIfAsked();
        progress.wait(step);
      },
      async start() {
        const box = await openGlovebox({ pool: 0, signal: ending.signal });
        let closing: Promise<void> | undefined;
        close = () => (closing ??= box.close());
        ending.onForce(close);
        return (limits) => box.session({ limits });
      },
    });
    const ok = checks.every((check) => check.ok !== false);
    return { ok, version: packageVersion(), environment, checks };
  } finally {
    progress.stop();
    await close();
  }
}

function forPrograms({ ok, version, environment, checks }: Diagnosis): object {
  const python = environment && {
    version: environment.version,
    path: environment.python,
    source: environment.source,
    packages: environment.packages,
    missing: environment.missing,
  };
  return { ok, version, sandbox: "local", python: python ?? null, checks };
}
