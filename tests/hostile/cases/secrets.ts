import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { HostileCase } from "../case.ts";
import { SECRET_NAME } from "../host-targets.ts";
import { gives, gotNothing, last } from "../oracles.ts";
import { ATTEMPT, py } from "../python.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));

export const secretCases: readonly HostileCase[] = [
  {
    title: "Files of the host cannot be read by any path",
    cells: (host) => [
      ATTEMPT +
        py`
          def look(path):
              found = os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(100)
              if not found:
                  raise ValueError("an empty folder is of no host")
              return found
          for path in ("/etc/shadow", "/etc/hostname", "/etc/machine-id", "/root/.ssh", "/root/.bash_history", "/home", "/var", "/run", "/sys", "/boot", "/.host", "/opt/secrets",
                       "${host.canaryFile}", "${host.folder}", "${repository}package.json", "${repository}kernel", "/var/run/docker.sock", "/run/user"):
              for path in (path, "/proc/self/root" + path, "/proc/self/cwd/../.." + path, "/mnt/data/../.." + path, "/proc/1/root" + path):
                  attempt(path, lambda: look(path))
          got
        `,
    ],
    expect: gotNothing,
  },
  {
    title: "No process of the host is seen, and no environment holds its secret",
    cells: (host) => [
      ATTEMPT +
        py`
          import glob
          attempt("host process", lambda: open("/proc/${host.processId}/cmdline").read())
          for path in glob.glob("/proc/*/environ") + glob.glob("/proc/*/task/*/environ") + glob.glob("/proc/*/cmdline"):
              try:
                  if "${SECRET_NAME}" in open(path, errors="replace").read():
                      got.append(path)
              except OSError:
                  pass
          got += [name for name in os.environ if "${SECRET_NAME}" in name or "NODE" in name]
          len(glob.glob("/proc/[0-9]*")) < 16 and got
        `,
    ],
    expect: gotNothing,
  },
  {
    title: "Telling files of /proc tell nothing",
    cells: [
      ATTEMPT +
        py`
          for name in ("kcore", "keys", "key-users", "kallsyms", "timer_list", "sched_debug", "config.gz", "cmdline", "kmsg", "slabinfo", "vmallocinfo", "pagetypeinfo", "kpagecount", "iomem"):
              def look():
                  with open("/proc/" + name, "rb", buffering=0) as file:
                      os.set_blocking(file.fileno(), False)
                      content = file.read(4096) or b""
                  if name in ("iomem",):
                      content = content.replace(b"0", b"").strip() and b"" if b"00000000-00000000" in content else content
                  if not content:
                      raise ValueError
                  return content
              attempt(name, look)
          got
        `,
    ],
    expect: gotNothing,
  },
  {
    title:
      "No memory is shared but one page with the session's own supervisor, and what is written there hurts nobody",
    cells: [
      py`
        import ctypes
        shared = []
        for line in open("/proc/self/maps"):
            span, permissions = line.split()[:2]
            if permissions[3] == "s" and permissions[1] == "w":
                shared.append([int(part, 16) for part in span.split("-")])
        for start, end in shared:
            ctypes.memset(start, 0xFF, end - start)
        [end - start for start, end in shared]
      `,
    ],
    expect: gives([4096]),
  },
  {
    title: "Other sessions' files, variables and ids are not found",
    async act({ box, run }) {
      await using other = await box.session();
      await other.run(
        "mine = 'other-session-truth'; open('/mnt/data/mine.txt', 'w').write(mine); open('/tmp/mine.txt', 'w').write(mine); open('/dev/shm/mine', 'w').write(mine)",
      );
      const found = await run(py`
        import glob, os
        found = [path for folder in ("/mnt", "/tmp", "/dev") for path in glob.glob(folder + "/**/mine*", recursive=True) if "site-packages" not in path]
        for path in glob.glob("/proc/[0-9]*"):
            try:
                if "other-session-truth" in open(path + "/cmdline").read():
                    found.append(path)
            except OSError:
                pass
        found += ["${other.id}"] if any("${other.id}" in line for line in open("/proc/self/mountinfo")) else []
        found
      `);
      gives([])([found]);
    },
  },
  {
    title: "Files that sessions put under one name stay apart",
    async act({ box, session }) {
      await using other = await box.session();
      await Promise.all([
        session.files.put("same.txt", Buffer.from("one")),
        other.files.put("same.txt", Buffer.from("two")),
      ]);
      const [one, two] = await Promise.all([
        session.run("open('same.txt').read()"),
        other.run("open('same.txt').read()"),
      ]);
      assert.deepEqual(
        [one.kind === "object" && one.json, two.kind === "object" && two.json],
        ["one", "two"],
      );
    },
  },
  {
    title: "Hosts' names and accounts are not told",
    cells: ["import socket, os, pwd; (socket.gethostname(), [entry.pw_name for entry in pwd.getpwall()])"],
    expect: gives(["glovebox", ["glovebox"]]),
  },
  {
    title: "Mounts name no folder of the host but those that hold Python",
    cells: (host) => [
      py`
        text = open("/proc/self/mountinfo").read() + open("/proc/mounts").read()
        [word for word in ("${host.folder}", "/var", "/run/", "glovebox-", "sessions") if word in text]
      `,
    ],
    expect: gives([]),
  },
  {
    title: "A tracing cell sees only its own session",
    cells: [
      "import os; (os.getpid() < 1000, all(os.stat(f'/proc/{pid}').st_uid in (0, os.getuid()) for pid in os.listdir('/proc') if pid.isdigit()))",
    ],
    expect: (results) =>
      assert.deepEqual(last(results).kind === "object" && (last(results) as { json?: unknown }).json, [
        true,
        true,
      ]),
  },
];
