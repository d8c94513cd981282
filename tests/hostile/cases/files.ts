import assert from "node:assert/strict";
import type { HostileCase, Scene } from "../case.ts";
import { gives, prints, succeeds } from "../oracles.ts";
import { py } from "../python.ts";

async function refusal(task: Promise<unknown>): Promise<string> {
  return task.then(
    () => "taken",
    (error) => error.code ?? String(error),
  );
}

async function allRefused({ session }: Scene, names: readonly string[]): Promise<void> {
  for (const name of names) {
    assert.match(await refusal(session.files.get(name)), /^file-/, `get ${JSON.stringify(name)}`);
  }
}

export const fileCases: readonly HostileCase[] = [
  {
    title: "Names that lead elsewhere are refused by every file call",
    async act({ session, host }) {
      const names = [
        "../../etc/passwd",
        "/etc/passwd",
        "/proc/self/root/etc/passwd",
        "a/../../x",
        "./x",
        "a//b",
        "",
        "/",
        "..",
        ".",
        "x\0y",
        "/mnt/data/../x",
        "/data/../x",
        host.canaryFile,
        "/mnt/data",
        "/mnt/data/",
      ];
      for (const name of names) {
        const calls = [
          session.files.get(name),
          session.files.put(name, Buffer.from("x")),
          session.files.remove(name),
        ];
        for (const call of calls) assert.match(await refusal(call), /^file-/, JSON.stringify(name));
      }
    },
  },
  {
    title: "Links, pipes, sockets, devices and folders are not read, and do not block",
    cells: [
      py`
        import os, socket
        os.symlink("/etc/passwd", "link"); os.symlink("/", "folder"); os.symlink("kept.txt", "inner"); os.symlink("loop", "loop"); os.symlink("/dev/zero", "zeroes"); os.symlink("/proc/self/environ", "environ")
        os.mkfifo("pipe"); os.mkdir("plain")
        listener = socket.socket(socket.AF_UNIX); listener.bind("socket")
        os.mkdir("hidden"); open("hidden/x", "w").close(); os.chmod("hidden", 0)
        len(os.listdir("."))
      `,
    ],
    act: (scene) =>
      allRefused(scene, [
        "link",
        "folder/etc/passwd",
        "folder/proc/1/environ",
        "inner",
        "loop",
        "zeroes",
        "environ",
        "pipe",
        "plain",
        "socket",
        "hidden/x",
        "link/x",
      ]),
    expect: gives(11),
  },
  {
    title: "A file that is swapped for a link or a pipe while it is read leads nowhere",
    cells: [
      py`
        import os, time
        if os.fork() == 0:
            os.setsid()
            end = time.monotonic() + 2
            while time.monotonic() < end:
                for swap in (lambda: os.symlink("/etc/passwd", "new"), lambda: os.mkfifo("new"), lambda: open("new", "w").write("swapped"), lambda: os.mkdir("new"), lambda: os.symlink("/", "new")):
                    try:
                        swap()
                        os.rename("new", "swapped")
                    except OSError:
                        for clean in (os.unlink, os.rmdir):
                            for name in ("swapped", "new"):
                                try:
                                    clean(name)
                                except OSError:
                                    pass
            os._exit(0)
      `,
    ],
    async act({ session }) {
      for (let tries = 0; tries < 150; tries++) {
        const got = await session.files.get("swapped").catch((error) => error);
        if (got instanceof Error)
          assert.match(
            got.message && (got as { code?: string }).code
              ? String((got as { code?: string }).code)
              : String(got),
            /^file-/,
          );
        else assert.match(got.toString(), /^(swapped)?$/);
        assert.match(await refusal(session.files.get("swapped/etc/passwd")), /^file-/);
        await session.files.list();
      }
    },
    expect: succeeds,
  },
  {
    title: "A lease on a file does not block who reads it",
    cells: [
      py`
        import fcntl, os, signal
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        leased = os.open("leased", os.O_RDWR | os.O_CREAT)
        os.write(leased, b"x")
        fcntl.fcntl(leased, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        print("leased")
      `,
    ],
    async act({ session }) {
      await session.files.get("leased").catch((error) => assert.match(error.code, /^file-/));
    },
    expect: prints("leased\n"),
  },
  {
    title: "A cell that removes what is being uploaded costs the upload and not the sandbox",
    cells: [
      py`
        import glob, os
        if os.fork() == 0:
            os.setsid()
            while True:
                for name in os.listdir("/mnt/data"):
                    if name.startswith("."):
                        try:
                            os.remove("/mnt/data/" + name)
                        except OSError:
                            pass
      `,
    ],
    async act({ session }) {
      for (let tries = 0; tries < 5; tries++) {
        await session.files
          .put("upload.bin", Buffer.alloc(3 << 20))
          .catch((error) => assert.match(error.code, /^file-/));
      }
    },
  },
  {
    title: "Names that uploads would use can be taken without harm",
    cells: [
      py`
        import os
        for number in range(200):
            open(f"/mnt/data/.glovebox-draft-{number}", "w").close()
        os.symlink("/tmp/elsewhere", "upload.bin")
      `,
    ],
    async act({ session }) {
      const outcome = await refusal(session.files.put("upload.bin", Buffer.from("whole")));
      assert.match(outcome, /^taken$|^file-/);
      const { json } = (await session.run("import os; os.path.exists('/tmp/elsewhere')")) as {
        json?: unknown;
      };
      assert.equal(json, false);
    },
  },
  {
    title: "A folder of long output that is a link, a pipe or a file does not lead the supervisor elsewhere",
    cells: [
      "import os, shutil; os.symlink('/tmp', '.output'); print('x' * 3_000_000)",
      "os.remove('.output'); os.mkdir('.output'); [os.mkfifo(f'.output/cell-{n}-stdout.txt') for n in range(12)]; print('x' * 3_000_000)",
      "shutil.rmtree('.output'); open('.output', 'w').close(); print('x' * 3_000_000)",
      "os.remove('.output'); kept",
    ],
    expect: gives(42),
  },
  {
    title: "An upload larger than its folder is refused and leaves nothing",
    async act({ session }) {
      assert.equal(await refusal(session.files.put("huge.bin", Buffer.alloc(40 << 20))), "file-too-large");
      assert.ok(
        !(await session.files.list()).some(
          (file) => file.path.includes("huge") || file.path.includes("draft"),
        ),
      );
    },
  },
  {
    title: "Readers who never finish do not use up the supervisor's descriptors",
    async act({ session }) {
      const readers = Array.from({ length: 200 }, () => session.files.read("kept.txt"));
      await Promise.all(readers.map((reader) => reader.next().catch(() => undefined)));
      await Promise.all(readers.map((reader) => reader.return(undefined).catch(() => undefined)));
      assert.equal((await session.files.get("kept.txt")).toString(), "kept");
    },
  },
  {
    title: "What a cell leaves at home is not run by the next session",
    cells: [
      py`
        import os, site, sys
        folder = f"/mnt/data/.local/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
        os.makedirs(folder)
        for name in ("sitecustomize.py", "usercustomize.py", "pandas.py", "planted.pth"):
            with open(f"{folder}/{name}", "w") as file:
                file.write("import sys; sys.planted = True\n")
        for name in (".bashrc", ".profile", ".pythonrc", ".pdbrc", ".ipython/profile_default/startup/00.py"):
            os.makedirs(os.path.dirname("/mnt/data/" + name), exist_ok=True)
            with open("/mnt/data/" + name, "w") as file:
                file.write("import sys; sys.planted = True\n")
        os.environ.update(LD_PRELOAD="/mnt/data/evil.so", PYTHONSTARTUP="/mnt/data/.pythonrc", PYTHONPATH="/mnt/data", BASH_ENV="/mnt/data/.bashrc")
        sys.path.insert(0, folder)
      `,
    ],
    async act({ box }) {
      await using next = await box.session();
      const result = await next.run(
        "import os, sys, pandas; (hasattr(sys, 'planted'), os.listdir('/mnt/data'), [name for name in os.environ if name in ('LD_PRELOAD', 'PYTHONSTARTUP', 'PYTHONPATH')], [path for path in sys.path if 'mnt' in path])",
      );
      gives([false, [], [], []])([result]);
    },
    expect: succeeds,
  },
];
