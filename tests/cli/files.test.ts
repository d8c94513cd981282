import assert from "node:assert/strict";
import { mkdir, readdir, readFile, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { glovebox, temporaryFolder } from "./glovebox.ts";

const listAll =
  "import os\nfor folder, _, names in sorted(os.walk('/mnt/data')):\n  for name in sorted(names): print(os.path.join(folder, name))";

test("--data copies files and folders, and follows no link out of a folder", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "set", "deep"), { recursive: true });
  await writeFile(join(folder, "one.csv"), "a\n1\n");
  await writeFile(join(folder, "set", "two.csv"), "2");
  await writeFile(join(folder, "set", "deep", "three.csv"), "3");
  await symlink("/etc/passwd", join(folder, "set", "link.csv"));
  const data = ["--data", join(folder, "one.csv"), "--data", join(folder, "set")];
  assert.deepEqual(await glovebox(["run", ...data, "-c", listAll, "-c", "print(open('one.csv').read())"]), {
    status: 0,
    stdout: "/mnt/data/one.csv\n/mnt/data/two.csv\n/mnt/data/deep/three.csv\na\n1\n\n",
    stderr: "",
  });
});

test("two files that would have one name are refused", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "a"));
  await writeFile(join(folder, "x"), "");
  await writeFile(join(folder, "a", "x"), "");
  const data = ["--data", join(folder, "x"), "--data", join(folder, "a")];
  const { status, stderr } = await glovebox(["run", ...data, "-c", "1"]);
  assert.equal(status, 2);
  assert.match(stderr, /would both be \/mnt\/data\/x; rename one of them\.\n$/);
});

test("data that does not fit names the flag that makes room", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "big.bin");
  await writeFile(file, "");
  await truncate(file, 6 << 20);
  const refused = await glovebox(["run", "--disk", "4m", "--data", file, "-c", "1"]);
  assert.deepEqual(refused, {
    status: 2,
    stdout: "",
    stderr:
      "glovebox: The data (6 MB) does not fit into /mnt/data, it holds 4 MB; raise its size with --disk 64m.\n",
  });
  const code = "import os; os.path.getsize('big.bin')";
  const fits = await glovebox(["run", "--disk", "64m", "--data", file, "-c", code]);
  assert.deepEqual(fits, { status: 0, stdout: "6291456\n", stderr: "" });
});

test("--out gets what the cells made or changed, figures too, and not what they only read", async () => {
  const folder = await temporaryFolder();
  for (const name of ["read.txt", "changed.txt"]) await writeFile(join(folder, name), "before");
  const out = join(folder, "made", "here");
  const code = [
    "import os; os.makedirs('sub'); open('sub/new.txt', 'w').write('new')",
    "open('changed.txt', 'w').write('after it')",
    "import matplotlib.pyplot as plt; _ = plt.plot([1, 2]); print(open('read.txt').read())",
  ];
  const data = ["--data", join(folder, "read.txt"), "--data", join(folder, "changed.txt")];
  const { status, stderr } = await glovebox(["run", ...data, "--out", out, "-c", code.join("\n")]);
  assert.equal(status, 0);
  const names = (await readdir(out, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(out.length + 1));
  assert.deepEqual(names.sort(), ["changed.txt", "figure-1-1.png", "sub/new.txt"]);
  assert.equal(await readFile(join(out, "changed.txt"), "utf8"), "after it");
  assert.match(stderr, new RegExp(`→ ${join(out, "sub/new.txt")} 3 bytes\n`));
});

test("nothing is saved through a link, outside of --out, or from a link in the session", async () => {
  const folder = await temporaryFolder();
  const out = join(folder, "out");
  const elsewhere = join(folder, "elsewhere");
  await mkdir(out);
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, "target.txt"), "mine");
  await symlink(elsewhere, join(out, "sub"));
  await symlink(join(elsewhere, "target.txt"), join(out, "file.txt"));
  const code = [
    "import os; os.makedirs('sub')",
    "for name in ('sub/in.txt', 'file.txt', 'good.txt'): open(name, 'w').write('theirs')",
    "os.symlink('/etc/passwd', 'stolen.txt'); os.symlink('/etc', 'folder')",
  ];
  const { status, stderr } = await glovebox(["run", "--out", out, "-c", code.join("\n")]);
  assert.equal(status, 1);
  assert.match(stderr, /glovebox: Not saved to .*: \/mnt\/data\/file\.txt \(a link has its place\)\.\n/);
  assert.match(stderr, /glovebox: Not saved to .*: sub \(a link or file has the place of its folder\)\.\n/);
  assert.deepEqual((await readdir(out)).sort(), ["file.txt", "good.txt", "sub"]);
  assert.deepEqual(await readdir(elsewhere), ["target.txt"]);
  assert.equal(await readFile(join(elsewhere, "target.txt"), "utf8"), "mine");
});

test("files that will be lost are told with the flag that keeps them", async () => {
  assert.deepEqual(await glovebox(["run", "-c", "_ = open('a.txt', 'w').write('x' * 2048)"]), {
    status: 0,
    stdout: "",
    stderr: "→ /mnt/data/a.txt 2 KB\nThese files go with the session; --out DIR keeps what the cells make.\n",
  });
});
