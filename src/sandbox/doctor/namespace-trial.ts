import { z } from "zod";
import { childEnvironment } from "../environment/child-environment.ts";
import { runCommand } from "../environment/run-command.ts";

const Trial = z.record(z.string(), z.string().nullable());
/** What raising the walls takes, each tried on its own: null where it worked, else the error's name. */
export type NamespaceTrial = z.infer<typeof Trial>;

const program = `
import ctypes, errno, json, os
libc = ctypes.CDLL(None, use_errno=True)
flags = {"mnt": 0x20000, "pid": 0x20000000, "net": 0x40000000, "ipc": 0x08000000, "uts": 0x04000000}
USER, RECURSIVE_PRIVATE = 0x10000000, 0x44000

def check(result):
    if result != 0: raise OSError(ctypes.get_errno(), "")

def enter(wanted, as_root):
    uid, gid = os.getuid(), os.getgid()
    check(libc.unshare(wanted | (0 if as_root else USER)))
    if not as_root:
        for name, text in (("setgroups", "deny"), ("uid_map", f"1000 {uid} 1"), ("gid_map", f"1000 {gid} 1")):
            with open("/proc/self/" + name, "w") as file: file.write(text)

def mount_temporary(as_root):
    enter(flags["mnt"], as_root)
    check(libc.mount(b"none", b"/", None, RECURSIVE_PRIVATE, None))
    check(libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None))

def mount_proc(as_root):
    enter(flags["mnt"] | flags["pid"] | flags["net"] | flags["ipc"], as_root)
    check(libc.mount(b"none", b"/", None, RECURSIVE_PRIVATE, None))
    inner = os.fork()
    if inner == 0:
        try:
            check(libc.mount(b"proc", b"/proc", b"proc", 0, None))
            os._exit(0)
        except OSError as error:
            os._exit(error.errno)
    code = os.waitstatus_to_exitcode(os.waitpid(inner, 0)[1])
    if code: raise OSError(code, "")

def attempt(task, as_root):
    child = os.fork()
    if child == 0:
        try:
            task(as_root)
            os._exit(0)
        except OSError as error:
            os._exit(error.errno or 1)
        except BaseException:
            os._exit(255)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return errno.errorcode.get(code, str(code)) if code else None

def all_of(as_root):
    tasks = {} if as_root else {"user": lambda r: enter(0, r)}
    tasks.update({name: (lambda flag: lambda r: enter(flag, r))(flag) for name, flag in flags.items()})
    tasks.update({"mount": mount_temporary, "proc": mount_proc})
    return {name: attempt(task, as_root) for name, task in tasks.items()}

found = all_of(True) if os.geteuid() == 0 else None
if found is None or any(found[name] for name in ("mnt", "pid", "net")):
    found = all_of(False)
print(json.dumps(found))
`;

export async function tryNamespaces(python: string): Promise<NamespaceTrial | undefined> {
  const result = await runCommand({
    command: python,
    args: ["-I", "-c", program],
    env: childEnvironment(process.env),
  });
  try {
    return Trial.parse(JSON.parse(result.stdout.at(-1) ?? ""));
  } catch {
    return undefined;
  }
}
