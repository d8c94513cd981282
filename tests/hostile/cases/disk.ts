import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { gloveboxHome } from "../../../src/config.ts";
import { scratchFolder } from "../../../src/store/scratch.ts";
import type { HostileCase } from "../case.ts";
import { brief, failsWith, gives, last, prints, succeeds } from "../oracles.ts";
import { py } from "../python.ts";

const fill = (folder: string) => py`
  written = 0
  try:
      with open("${folder}/flood", "wb", buffering=0) as file:
          while True:
              written += file.write(bytes(1 << 20))
  except OSError as error:
      print(error.strerror)
`;

export const diskCases: readonly HostileCase[] = [
  {
    title: "A working folder that is full says so, and the next session has space",
    cells: [fill("/mnt/data")],
    expect: prints(/No space left|File too large/),
    async act({ box }) {
      await using next = await box.session({ limits: { workBytes: 32 << 20 } });
      const result = await next.run("open('/mnt/data/x', 'wb').write(bytes(8 << 20))");
      assert.equal(result.kind === "object" && result.json, 8 << 20, brief(result));
    },
  },
  { title: "A full /tmp says so", cells: [fill("/tmp")], expect: prints(/No space left|File too large/) },
  {
    title: "Inodes that are used up are an error inside",
    cells: [
      py`
        import os
        count = 0
        try:
            while True:
                os.mkdir(f"/tmp/{count}")
                count += 1
        except OSError as error:
            print(error.strerror)
      `,
    ],
    expect: prints("No space left on device\n"),
  },
  {
    title: "A sparse file of a pebibyte is refused",
    cells: ["open('sparse', 'wb').truncate(1 << 50)"],
    expect: failsWith("OSError"),
  },
  {
    title: "Sparse files under ever new names do not fill the host's disk",
    limits: { workBytes: 4 << 20 },
    async act({ run, session }) {
      for (const name of ["one", "two", "three", "four", "five", "six"]) {
        await run(`open('${name}', 'wb').truncate(3 << 20)`);
      }
      const folder = join(scratchFolder(gloveboxHome()), session.id);
      const names = await readdir(folder, { recursive: true });
      const blocks = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).blocks));
      const bytes = blocks.reduce((sum, each) => sum + each * 512, 0);
      assert.ok(bytes <= 5 << 20, `the host holds ${bytes} bytes of a folder of ${4 << 20}`);
    },
  },
  {
    title: "Many links to one large file are neither read nor kept",
    cells: [
      py`
        import os
        with open("/tmp/large", "wb") as file:
            file.write(bytes(4 << 20))
        for number in range(20):
            os.symlink("/tmp/large", f"link{number}")
      `,
    ],
    expect: (results) => assert.equal(last(results).files, undefined),
  },
  {
    title: "Thousands of files and a thousand folders deep are listed in bounds",
    cells: [
      py`
        import os
        for number in range(1000):
            os.mkdir("deep")
            os.chdir("deep")
        open("bottom.txt", "w").close()
        os.chdir("/mnt/data")
        os.mkdir("many")
        for number in range(25_000):
            os.mkdir(f"many/{number}")
      `,
    ],
    expect(results) {
      succeeds(results);
      assert.match(last(results).notice ?? "", /entries/);
    },
    async act({ session }) {
      assert.ok((await session.files.list()).length < 25_000);
    },
  },
  {
    title: "Names that swell on the wire cost neither the worker nor the sandbox",
    cells: [
      py`
        made = True
        for number in range(6500):
            open("\x01" * 240 + str(number), "w").close()
      `,
      py`
        import glob, os
        for name in os.listdir("."):
            if name.startswith("\x01"):
                os.remove(name)
        made
      `,
    ],
    expect: gives(true),
  },
  {
    title: "A listing of names that swell on the wire does not end the sandbox",
    cells: [
      py`
        for number in range(6500):
            open("\x01" * 240 + str(number), "w").close()
      `,
    ],
    async act({ session }) {
      await session.files.list().catch((error) => assert.equal(error.name, "GloveboxError"));
    },
  },
  {
    title: "A path too long for the host comes and goes without harm",
    cells: [
      py`
        import os
        for _ in range(20):
            os.mkdir("d" * 250)
            os.chdir("d" * 250)
        open("bottom", "w").write("x")
        os.chdir("/mnt/data")
      `,
      "import shutil; shutil.rmtree('d' * 250)",
    ],
    expect: succeeds,
  },
  {
    title: "Names with newlines, control bytes and no encoding stay names",
    cells: [
      py`
        import os
        for name in (b"new\nline", b"\x1b[31mred", b"\xff\xfe", b"-rf", b"..\\..\\up", b"%2e%2e%2fup", "e\u0301".encode(), "\u202egnp".encode()):
            with open(name, "wb") as file:
                file.write(name)
        len(os.listdir("."))
      `,
    ],
    async act({ session }) {
      const names = (await session.files.list()).map((file) => file.path);
      assert.ok(names.includes("/mnt/data/..\\..\\up") && names.every((name) => name.isWellFormed()));
      assert.equal((await session.files.get("..\\..\\up")).toString(), "..\\..\\up");
    },
    expect: gives(9),
  },
  {
    title: "The notice about long output names only a file that holds it",
    cells: [
      fill("/mnt/data"),
      "print('y' * 3_000_000)",
      "import os; [os.path.getsize(os.path.join('.output', name)) for name in os.listdir('.output')] if os.path.isdir('.output') else []",
    ],
    expect(results) {
      const notice = results[1]?.notice ?? "";
      const sizes = results[2]?.kind === "object" ? (results[2].json as number[]) : [];
      assert.ok(!/full text is in/.test(notice) || sizes.includes(3_000_001), `${notice} ${sizes}`);
    },
  },
];
