import { z } from "zod";
import { GloveboxError } from "../../errors.ts";
import type { ProbeSession } from "./probe-session.ts";

/** What a cell is given to look for: things of the host that it must not find. */
export interface Bait {
  readonly addresses: readonly (readonly [host: string, port: number])[];
  readonly abstractSocket: string;
  readonly files: readonly string[];
  readonly variable: string;
}

const Facts = z.object({
  namespaces: z.record(z.string(), z.string()),
  interfaces: z.array(z.string()),
  reached: z.array(z.string()),
  seen_files: z.array(z.string()),
  writable: z.array(z.string()),
  sees_variable: z.boolean(),
  own_proc: z.boolean(),
  processes: z.number(),
  status: z.record(z.string(), z.string()),
  uid: z.number(),
  not_refused: z.array(z.string()),
  refused: z.array(z.string()),
});
export type WallFacts = z.infer<typeof Facts>;

const program = `
def _look(bait):
    import ctypes, errno, os, socket, sys
    def names_of(folder):
        return {n: os.readlink(os.path.join(folder, n)) for n in ("mnt", "pid", "net", "ipc", "uts", "user", "cgroup")}
    def reaches(family, address):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as s:
                s.settimeout(1)
                s.connect(address)
            return True
        except OSError:
            return False
    reached = [f"{host}:{port}" for host, port in bait["addresses"]
               if reaches(socket.AF_INET6 if ":" in host else socket.AF_INET, (host, port))]
    if reaches(socket.AF_UNIX, "\\0" + bait["abstract"]):
        reached.append("a Unix socket")
    def writes(folder):
        path = os.path.join(folder, ".glovebox-doctor")
        try:
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            os.unlink(path)
            return True
        except OSError:
            return False
    libc = ctypes.CDLL(None, use_errno=True)
    def refuses(call):
        ctypes.set_errno(0)
        return call() == -1 and ctypes.get_errno() in (errno.EPERM, errno.ENOSYS)
    def raw_socket():
        try:
            socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).close()
            return 0
        except OSError as error:
            ctypes.set_errno(error.errno)
            return -1
    def traced():
        child = os.fork()
        if child == 0:
            os._exit(0 if refuses(lambda: libc.ptrace(0, 0, 0, 0)) else 1)
        ctypes.set_errno(errno.EPERM)
        return -1 if os.waitpid(child, 0)[1] == 0 else 0
    calls = {
        "unshare": lambda: libc.unshare(0),
        "setns": lambda: libc.setns(-1, 0),
        "mount": lambda: libc.mount(b"none", b"/tmp", b"tmpfs", 0, None),
        "ptrace": traced,
        "personality": lambda: libc.personality(0xFFFFFFFF),
        "raw socket": raw_socket,
    }
    outcome = {name: refuses(call) for name, call in calls.items()}
    with open("/proc/self/status") as file:
        status = {name: value.strip() for name, _, value in (line.partition(":") for line in file)}
    with open("/proc/net/dev") as file:
        interfaces = [line.split(":")[0].strip() for line in file if ":" in line]
    environments = [os.environ.get(bait["variable"]) is not None]
    try:
        with open("/proc/1/environ", "rb") as file:
            environments.append(bait["variable"].encode() in file.read())
    except OSError:
        pass
    return {
        "namespaces": names_of("/proc/self/ns"),
        "interfaces": interfaces,
        "reached": reached,
        "seen_files": [path for path in bait["files"] if os.path.exists(path)],
        "writable": [path for path in ("/", "/etc", "/usr", "/usr/bin", "/dev", sys.prefix, sys.base_prefix) if writes(path)],
        "sees_variable": any(environments),
        "own_proc": os.readlink("/proc/self") == str(os.getpid()),
        "processes": sum(name.isdigit() for name in os.listdir("/proc")),
        "status": {name: status.get(name, "") for name in ("Seccomp", "NoNewPrivs", "CapEff", "CapPrm", "CapBnd", "CapAmb")},
        "uid": os.getuid(),
        "not_refused": [name for name, refused in outcome.items() if not refused],
        "refused": [name for name, refused in outcome.items() if refused],
    }
`;

export async function readWallFacts(session: ProbeSession, bait: Bait): Promise<WallFacts> {
  const given = JSON.stringify({ ...bait, abstract: bait.abstractSocket });
  const result = await session.run(`${program}\nimport json\n_look(json.loads(${JSON.stringify(given)}))`);
  if (result.kind === "object") return Facts.parse(result.json);
  const why = result.kind === "error" ? result.traceback : result.kind;
  throw new GloveboxError("kernel-protocol", `The cell that looks at the walls did not answer: ${why}`);
}
