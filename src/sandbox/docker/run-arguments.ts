import { randomInt } from "node:crypto";
import { innerEnvironment } from "../inner-environment.ts";
import type { KernelMount, KernelShape } from "../sandbox.ts";
import { ownOwner } from "./owner.ts";

export interface RunSettings {
  readonly image: string;
  readonly name: string;
  /** The engine's accounts are a window onto the machine's: only the first 65,536 exist. */
  readonly fewAccounts: boolean;
  /** Podman takes no limit of the number of files; there the memory limit alone bounds it. */
  readonly limitsFiles: boolean;
  readonly runtime: string | undefined;
  readonly cpus: number;
}

export const OWNER_LABEL = "io.glovebox.owner";

const PATH = "/usr/local/bin:/usr/bin:/bin";
// The image's entry is `env -i`: what an engine or a base image has set is not passed on.
const COMMAND = ["python3", "-I", "/opt/glovebox/kernel/container.py"];
const MiB = 1 << 20;
const SHARED_MEMORY_BYTES = 64 * MiB;
// The libraries, which every container holds for itself, and the kernel's own processes.
const OWN_MEMORY_BYTES = 448 * MiB;
const OWN_PROCESSES = 16;
const MOST_FILES = 100_000;

/** `run` with the walls around one session. */
export function runArguments(shape: KernelShape, settings: RunSettings): string[] {
  const account = newAccount(settings.fewAccounts);
  const memory = hardCap(shape);
  const processes = shape.processes + OWN_PROCESSES;
  const environment = Object.entries({ PATH, ...innerEnvironment(settings.cpus) });
  return [
    "run",
    "--interactive",
    "--rm",
    "--sig-proxy=false",
    ...["--pull", "never"],
    ...["--name", settings.name],
    ...["--label", `${OWNER_LABEL}=${ownOwner()}`],
    ...(settings.runtime ? ["--runtime", settings.runtime] : []),
    // What crosses standard output is the session's; a log would keep it, on disk and without end.
    ...["--log-driver", "none"],
    ...["--network", "none"],
    ...["--hostname", "glovebox"],
    ...["--user", `${account}:${account}`],
    ...["--cap-drop", "all"],
    ...["--security-opt", "no-new-privileges"],
    ...["--ipc", "private"],
    ...["--cgroupns", "private"],
    "--read-only",
    ...["--tmpfs", folder("/tmp", shape.tmp_bytes, settings)],
    ...["--tmpfs", folder("/mnt/data", shape.work_bytes, settings)],
    // Nothing in here needs to know the machine's devices.
    ...["--tmpfs", "/sys:ro,size=4k,mode=555"],
    ...["--shm-size", String(SHARED_MEMORY_BYTES)],
    ...["--memory", String(memory)],
    ...["--memory-swap", String(memory)],
    ...["--cpus", String(settings.cpus)],
    ...["--pids-limit", String(processes)],
    ...["--ulimit", `nproc=${processes}:${processes}`],
    ...["--ulimit", "nofile=4096:4096"],
    ...["--stop-signal", "SIGKILL"],
    ...shape.mounts.flatMap((mount) => ["--mount", bind(mount)]),
    settings.image,
    ...environment.map(([name, value]) => `${name}=${value}`),
    ...COMMAND,
  ];
}

/** Room for the worker, for a frozen copy that shares nothing with it any more, and for full folders. */
function hardCap(shape: KernelShape): number {
  return 2 * shape.memory_bytes + shape.work_bytes + shape.tmp_bytes + SHARED_MEMORY_BYTES + OWN_MEMORY_BYTES;
}

/** An account that no other session has: the kernel counts processes, signals and pipes by account. */
function newAccount(fewAccounts: boolean): number {
  return fewAccounts ? randomInt(10_000, 60_000) : randomInt(900_000_000, 1_000_000_000);
}

function folder(path: string, bytes: number, { limitsFiles }: RunSettings): string {
  const files = limitsFiles ? `,nr_inodes=${MOST_FILES}` : "";
  return `${path}:rw,exec,nosuid,nodev,mode=1777,size=${bytes}${files}`;
}

/** The engine reads a mount as one line of CSV. */
function bind({ source, target }: KernelMount): string {
  const fields = ["type=bind", `source=${source}`, `target=${target}`, "readonly", "bind-nonrecursive=true"];
  return fields.map((field) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(",");
}
