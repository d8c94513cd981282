import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { GloveboxError } from "../../src/index.ts";
import { inSession } from "../support/box.ts";
import type { Box } from "./suite.ts";

const hasCode = (code: string) => (error: unknown) => error instanceof GloveboxError && error.code === code;

export function filesContract(box: Box): void {
  test("a file that comes and goes in a folder that was long empty is told of by the cell that made it", async () => {
    await inSession(box(), async (session) => {
      const pause = "import os, time\ntime.sleep(0.15)";
      for (const name of ["a", "b", "a"]) {
        await session.run(pause);
        await session.run(pause);
        for (let time = 0; time < 3; time++) {
          const made = await session.run(`open('${name}', 'w').close()`);
          assert.deepEqual(made.files, [{ path: `/mnt/data/${name}`, bytes: 0 }]);
          assert.equal((await session.run("1 + 1")).files, undefined);
          assert.equal((await session.run(`os.remove('${name}')`)).files, undefined);
          assert.deepEqual(await session.files.list(), []);
        }
      }
    });
  });

  test("files go in as bytes, streams and host paths, and come out the same", async () => {
    const folder = await mkdtemp(join(tmpdir(), "glovebox-test-"));
    try {
      await writeFile(join(folder, "host.txt"), "from the host");
      await inSession(box(), async (session) => {
        await session.files.put("bytes.bin", new Uint8Array([0, 255, 7]));
        await session.files.put("sub/folder/stream.txt", Readable.from([Buffer.from("a"), Buffer.from("b")]));
        await session.files.put("/mnt/data/host.txt", join(folder, "host.txt"));
        assert.deepEqual(
          (await session.files.list()).map(({ path, bytes }) => [path, bytes]),
          [
            ["/mnt/data/bytes.bin", 3],
            ["/mnt/data/host.txt", 13],
            ["/mnt/data/sub/folder/stream.txt", 2],
          ],
        );
        const inside = await session.run(
          "open('sub/folder/stream.txt').read() + open('/data/host.txt').read()",
        );
        assert.equal(inside.kind === "object" && inside.json, "abfrom the host");
        assert.equal(inside.files, undefined);
        assert.deepEqual([...(await session.files.get("bytes.bin"))], [0, 255, 7]);
        await session.files.remove("sub");
        assert.equal((await session.files.list()).length, 2);
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("a large file passes through in parts, whole", async () => {
    await inSession(box(), async (session) => {
      const part = Buffer.alloc(1 << 20, "glovebox");
      const sent = createHash("sha256");
      async function* parts() {
        for (let index = 0; index < 100; index++) {
          part.writeUInt32BE(index, 0);
          sent.update(part);
          yield Buffer.from(part);
        }
      }
      await session.files.put("large.bin", parts());
      const received = createHash("sha256");
      let bytes = 0;
      for await (const chunk of session.files.read("large.bin")) {
        received.update(chunk);
        bytes += chunk.length;
      }
      assert.equal(bytes, 100 << 20);
      assert.equal(received.digest("hex"), sent.digest("hex"));
    });
  });

  test("a file that does not fit is refused, leaves nothing, and the session goes on", async () => {
    await using session = await box().session({ limits: { workBytes: 2 << 20 } });
    await assert.rejects(session.files.put("big.bin", Buffer.alloc(3 << 20)), hasCode("file-too-large"));
    assert.deepEqual(await session.files.list(), []);
    await session.files.put("small.txt", Buffer.from("fits"));
    assert.equal((await session.files.get("small.txt")).toString(), "fits");
  });

  test("names that lead elsewhere are refused", async () => {
    await inSession(box(), async (session) => {
      for (const name of [
        "../x",
        "/etc/passwd",
        "a/../../x",
        "",
        ".",
        "a//b",
        "a\0b",
        "/mnt/data/../x",
        "x/",
      ]) {
        await assert.rejects(session.files.put(name, Buffer.from("x")), hasCode("file-name"), name);
        await assert.rejects(session.files.get(name), hasCode("file-name"), name);
        await assert.rejects(session.files.remove(name), hasCode("file-name"), name);
      }
      await assert.rejects(session.files.get("absent.txt"), hasCode("file-missing"));
      await assert.rejects(session.files.put("x", "/no/such/file"), hasCode("file-missing"));
    });
  });

  test("links, pipes, sockets and folders are neither followed nor waited on", async () => {
    await inSession(box(), async (session) => {
      await session.run(
        [
          "import os, socket",
          "os.symlink('/etc/passwd', 'link'); os.symlink('/etc', 'linked'); os.mkfifo('pipe'); os.mkdir('folder')",
          "s = socket.socket(socket.AF_UNIX); s.bind('socket')",
        ].join("\n"),
      );
      assert.deepEqual(await session.files.list(), []);
      for (const name of ["link", "pipe", "socket", "folder", "linked/passwd"]) {
        await assert.rejects(session.files.get(name), hasCode("file-kind"), name);
      }
      await assert.rejects(session.files.put("linked/new", Buffer.from("x")), hasCode("file-kind"));
    });
  });

  test("files that a cell makes, changes and removes are told and kept", async () => {
    await inSession(box(), async (session) => {
      const made = await session.run(
        "import os\nos.makedirs('out', exist_ok=True)\n_ = open('out/a.txt', 'w').write('one')",
      );
      assert.deepEqual(made.files, [{ path: "/mnt/data/out/a.txt", bytes: 3 }]);
      const same = await session.run("1");
      assert.equal(same.files, undefined);
      const changed = await session.run("_ = open('out/a.txt', 'a').write(' two')");
      assert.deepEqual(changed.files, [{ path: "/mnt/data/out/a.txt", bytes: 7 }]);
      await session.run("os.remove('out/a.txt')");
      assert.deepEqual(await session.files.list(), []);
    });
  });

  test("a session of the same id finds its files again, and the deleted ones stay deleted", async () => {
    const id = `contract-${process.pid}-${Date.now()}`;
    {
      await using first = await box().session({ id });
      await first.files.put("given.csv", Buffer.from("a\n1\n"));
      await first.run("open('made.txt', 'w').write('made'); open('gone.txt', 'w').write('gone')");
      await first.run("import os; os.remove('gone.txt')");
    }
    await using second = await box().session({ id });
    assert.deepEqual(
      (await second.files.list()).map(({ path }) => path),
      ["/mnt/data/given.csv", "/mnt/data/made.txt"],
    );
    assert.equal((await second.files.get("made.txt")).toString(), "made");
    for (const name of ["given.csv", "made.txt"]) await second.files.remove(name);
  });

  test("a mounted file of the host is read in place and cannot be changed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "glovebox-test-"));
    try {
      await writeFile(join(folder, "big.csv"), "a\n1\n2\n");
      await chmod(folder, 0o755);
      await using session = await box().session({
        mounts: [{ hostPath: join(folder, "big.csv"), mountPath: "inputs/big.csv" }],
      });
      const read = await session.run("int(pd.read_csv('inputs/big.csv').a.sum())");
      assert.equal(read.kind === "object" && read.json, 3, JSON.stringify(read));
      assert.equal(read.files, undefined);
      const write = await session.run("open('inputs/big.csv', 'w')");
      assert.match(write.kind === "error" ? write.message : "", /Read-only file system|Permission denied/);
      assert.equal(await readFile(join(folder, "big.csv"), "utf8"), "a\n1\n2\n");
      await assert.rejects(
        box().session({ mounts: [{ hostPath: join(folder, "absent"), mountPath: "x" }] }),
        hasCode("file-missing"),
      );
      await assert.rejects(
        box().session({ mounts: [{ hostPath: folder, mountPath: "../../etc" }] }),
        hasCode("file-name"),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("names of any script are kept through cells", async () => {
    await inSession(box(), async (session) => {
      for (const name of ["Screenshot at 1.00\u202fPM.png", "データ.csv", "a\u00a0b.txt"]) {
        await session.files.put(name, Buffer.from("x"));
      }
      await session.run("1");
      assert.equal((await session.files.list()).length, 3);
    });
  });

  test("a file that shrinks the room for others on the host is let go of there", async () => {
    const id = `sparse-${process.pid}-${Date.now()}`;
    const limits = { workBytes: 8 << 20 };
    {
      await using session = await box().session({ id, limits });
      const made = await session.run("open('a.bin', 'wb').write(bytes(6 << 20))");
      assert.equal(made.notice, undefined);
      const grown = await session.run("open('b.bin', 'wb').truncate(8 << 20)");
      assert.match(grown.notice ?? "", /Not kept on the host: b.bin/);
      const regrown = await session.run("import os\nos.truncate('a.bin', 8 << 20)\nos.remove('b.bin')");
      assert.equal(regrown.notice, undefined);
    }
    await using again = await box().session({ id, limits });
    assert.deepEqual(
      (await again.files.list()).map(({ path, bytes }) => [path, bytes]),
      [["/mnt/data/a.bin", 8 << 20]],
    );
    await again.files.remove("a.bin");
  });
}
