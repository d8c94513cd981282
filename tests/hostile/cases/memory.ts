import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { HostileCase } from "../case.ts";
import { failsWith, gives, prints, succeeds } from "../oracles.ts";
import { py } from "../python.ts";

const outOfMemory = failsWith("MemoryError", "OutOfMemory", "_ArrayMemoryError");

export const memoryCases: readonly HostileCase[] = [
  {
    title: "One allocation beyond the limit raises MemoryError",
    cells: ["bytearray(10**10)"],
    expect: failsWith("MemoryError"),
  },
  {
    title: "An array beyond the limit is refused",
    cells: ["import numpy as np; np.ones(10**9)"],
    expect: outOfMemory,
  },
  {
    title: "Memory that grows slowly ends at the limit",
    cells: [
      py`
        held = []
        while True:
            held.append(bytearray(1 << 20))
      `,
    ],
    expect: outOfMemory,
  },
  {
    title: "Children share the session's memory limit",
    cells: [
      py`
        import os, time
        for _ in range(3):
            if os.fork() == 0:
                try:
                    held = bytearray(b"x") * (150 << 20)
                    time.sleep(60)
                finally:
                    os._exit(0)
        time.sleep(60)
      `,
    ],
    timeoutMs: 10_000,
    expect: failsWith("OutOfMemory"),
  },
  {
    title: "Shared anonymous memory counts as memory",
    cells: [
      py`
        import mmap, time
        shared = mmap.mmap(-1, 2 << 30)
        for offset in range(0, 2 << 30, 4096):
            shared[offset] = 1
            if offset % (16 << 20) == 0:
                time.sleep(0.005)
      `,
    ],
    timeoutMs: 10_000,
    expect: failsWith("OutOfMemory"),
  },
  {
    title: "Shared memory files are bounded",
    cells: [
      py`
        written = 0
        try:
            with open("/dev/shm/flood", "wb", buffering=0) as file:
                while written < 300 << 20:
                    written += file.write(bytes(1 << 20))
        except OSError as error:
            print(error.strerror)
        import os; os.remove("/dev/shm/flood")
      `,
    ],
    expect: prints(/No space left|File too large/),
  },
  {
    title: "A process left behind does not outgrow the limit between two cells",
    cells: [
      py`
        import mmap, os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() > 0:
                os._exit(0)
            time.sleep(0.3)
            held = []
            for step in range(1, 41):
                held.append(mmap.mmap(-1, 16 << 20))
                for offset in range(0, 16 << 20, 4096):
                    held[-1][offset] = 1
                with open("/mnt/data/grown.txt", "w") as file:
                    file.write(str(step * 16))
                time.sleep(0.04)
            os._exit(0)
      `,
    ],
    async act({ session }) {
      const grown = async () => Number(await session.files.get("grown.txt").catch(() => 0));
      for (let before = -1, still = 0; still < 5; ) {
        await pause(200);
        const now = await grown();
        still = now === before ? still + 1 : 0;
        before = now;
      }
      assert.ok((await grown()) < 512, `it grew to ${await grown()} MiB where 256 are allowed`);
    },
    expect: succeeds,
  },
  {
    title: "Everything a session holds can be rewritten while a frozen copy still holds the old",
    cells: [
      "held = bytearray(b'x') * (150 << 20)",
      py`
        for offset in range(0, len(held), 4096):
            held[offset] = 1
        len(held) >> 20
      `,
    ],
    expect: gives(150),
  },
  {
    title: "A compressed bomb read by pandas ends at the limit",
    cells: [
      py`
        import gzip, pandas as pd
        chunk = b"0\n" * (1 << 20)
        with gzip.open("bomb.csv.gz", "wb", compresslevel=1) as file:
            file.write(b"a\n")
            for _ in range(100):
                file.write(chunk)
        len(pd.read_csv("bomb.csv.gz", dtype="object"))
      `,
    ],
    expect: outOfMemory,
  },
  {
    title: "Page tables without pages do not exhaust the host",
    cells: [
      py`
        import ctypes, mmap
        libc = ctypes.CDLL(None)
        libc.mmap.restype = ctypes.c_void_p
        size = 256 << 30
        PROT_READ, MAP_PRIVATE, MAP_ANONYMOUS, MAP_NORESERVE = 1, 2, 0x20, 0x4000
        start = libc.mmap(None, ctypes.c_size_t(size), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        if start in (None, ctypes.c_void_p(-1).value):
            raise MemoryError
        byte = (ctypes.c_char * 1).from_address
        for offset in range(0, size, 2 << 20):
            byte(start + offset)[0]
      `,
    ],
    timeoutMs: 3000,
  },
];
