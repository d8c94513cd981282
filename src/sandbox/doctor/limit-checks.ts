import type { SessionLimits } from "../../config.ts";
import type { Walls } from "../../protocol/messages.ts";
import type { PythonResult } from "../../protocol/result.ts";
import { type Check, checked, reportIt } from "./check.ts";
import type { OpenProbeSession, ProbeSession } from "./probe-session.ts";

const MiB = 1 << 20;
const small = {
  memoryBytes: 128 * MiB,
  workBytes: 4 * MiB,
  tmpBytes: 2 * MiB,
  processes: 12,
} satisfies Partial<SessionLimits>;
const timeoutMs = 500;
const mostForks = 200;

const takeMemory = `_block = bytearray(${2 * small.memoryBytes})`;
const fillFolder = (folder: string, bytes: number) => `
def _fill():
    import os
    written = 0
    try:
        with open("${folder}/.doctor", "wb") as file:
            while written < ${bytes}:
                written += file.write(bytes(1 << 18))
                file.flush()
    except OSError as error:
        return error.strerror
    finally:
        os.unlink("${folder}/.doctor")
_fill()`;
const forkOn = `
def _forks():
    import os, signal
    children = []
    try:
        for _ in range(${mostForks}):
            child = os.fork()
            if child == 0:
                signal.pause()
                os._exit(0)
            children.append(child)
    except OSError:
        pass
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return len(children)
_forks()`;
const crash = "import os; os.kill(os.getpid(), 11)";

/** Each limit, by going over it in a session whose limits are small. */
export async function checkLimits(open: OpenProbeSession): Promise<Check[]> {
  let session: ProbeSession | undefined;
  try {
    const opened = await open(small);
    session = opened;
    const walls = await opened.walls();
    return [
      await checked("limits", "memory", async () => memory(await opened.run(takeMemory))),
      cgroup(walls),
      await checked("limits", "processes", async () => processes(await opened.run(forkOn))),
      await checked("limits", "/mnt/data", async () =>
        folder(await opened.run(fillFolder("/mnt/data", 2 * small.workBytes)), small.workBytes),
      ),
      await checked("limits", "/tmp", async () =>
        folder(await opened.run(fillFolder("/tmp", 2 * small.tmpBytes)), small.tmpBytes),
      ),
      await checked("limits", "time", async () => time(await opened.run("while True: pass", { timeoutMs }))),
      await checked("limits", "crashes", () => crashes(opened)),
    ];
  } catch (error) {
    return [await checked("limits", "limits", () => Promise.reject(error))];
  } finally {
    await session?.close();
  }
}

type Finding = { ok: boolean | null; detail: string; mend?: string };

function memory(result: PythonResult): Finding {
  const limit = `a limit of ${small.memoryBytes / MiB} MB`;
  if (result.kind !== "error") return broken(`a cell took twice ${limit}`);
  const known = ["MemoryError", "OutOfMemory", "WorkerDied"].includes(result.name);
  return known
    ? { ok: true, detail: `over ${limit} a cell gets ${result.name}` }
    : broken(`over ${limit} a cell got ${result.name}: ${result.message}`);
}

function cgroup(walls: Walls): Check {
  const about = { group: "limits", name: "session's memory" } as const;
  if (walls.cgroup !== "none") {
    return {
      ...about,
      ok: true,
      detail: `a control group (${walls.cgroup}) caps all its processes together`,
    };
  }
  const instead = "the session's supervisor watches its memory and ends a cell that is over the limit";
  return { ...about, ok: null, detail: `no control group can be made here; ${instead}` };
}

function processes(result: PythonResult): Finding {
  const started = result.kind === "object" ? result.json : undefined;
  if (typeof started !== "number") return broken(`the cell that forks ended with ${result.kind}`);
  // Some are kept free for the supervisor and its copies of the worker.
  const most = small.processes + 16;
  const detail = `at a limit of ${small.processes} a cell could start ${started}`;
  return started <= most ? { ok: true, detail } : broken(detail);
}

function folder(result: PythonResult, limitBytes: number): Finding {
  const size = `${limitBytes / MiB} MB`;
  const said = result.kind === "object" ? result.json : undefined;
  if (typeof said === "string") return { ok: true, detail: `over a size of ${size} a cell gets "${said}"` };
  return broken(`a cell wrote twice its size of ${size}`);
}

function time(result: PythonResult): Finding {
  const limit = `${timeoutMs / 1000} s`;
  if (result.kind === "error" && result.name === "TimeLimit") {
    return { ok: true, detail: `an endless loop was ended at a limit of ${limit}` };
  }
  return broken(`an endless loop at a limit of ${limit} ended with ${result.kind}`);
}

async function crashes(session: ProbeSession): Promise<Finding> {
  await session.run("_kept = 42");
  const crashed = await session.run(crash);
  const after = await session.run("_kept");
  const kept = after.kind === "object" && after.json === 42;
  if (crashed.kind === "error" && kept)
    return { ok: true, detail: "after a segmentation fault the variables are back" };
  return { ok: null, detail: "after a segmentation fault the variables are lost; files are kept" };
}

function broken(detail: string): Finding {
  return { ok: false, detail, mend: reportIt };
}
