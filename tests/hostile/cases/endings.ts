import type { HostileCase } from "../case.ts";
import { diesOf, failsWith, gives } from "../oracles.ts";
import { py } from "../python.ts";

export const endingCases: readonly HostileCase[] = [
  ...["exit()", "quit()", "import sys; sys.exit(0)", "raise SystemExit"].map((code) => ({
    title: `"${code}" is no silent success and the session goes on`,
    cells: [code],
    expect: failsWith("SystemExit"),
  })),
  {
    title: "os._exit ends the cell and not the session",
    cells: ["import os; os._exit(0)"],
    expect: diesOf(/status 0/),
  },
  {
    title: "os.abort ends the cell and not the session",
    cells: ["import os; os.abort()"],
    expect: diesOf(/SIGABRT/),
  },
  {
    title: "A worker that kills itself comes back",
    cells: ["import os; os.kill(os.getpid(), 9)"],
    expect: diesOf(/SIGKILL/),
  },
  {
    title: "A worker that kills its process group comes back",
    cells: ["import os; os.killpg(0, 9)"],
    expect: diesOf(/SIGKILL/),
  },
  {
    title: "No signal to PID 1 reaches it",
    cells: [
      py`
        import os, signal, time
        for number in range(1, 65):
            for _ in range(3):
                try:
                    os.kill(1, number)
                except OSError:
                    pass
        time.sleep(0.3)
        kept
      `,
    ],
    expect: gives(42),
  },
  {
    title: "PID 1 cannot be reached through a pidfd, its thread or a queued signal either",
    cells: [
      py`
        import ctypes, os, signal, time
        libc = ctypes.CDLL(None)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP, signal.SIGSEGV, signal.SIGCHLD):
            signal.pidfd_send_signal(os.pidfd_open(1), number)
            libc.syscall(234, 1, 1, number)
            libc.sigqueue(1, number, None)
        time.sleep(0.3)
        kept
      `,
    ],
    expect: gives(42),
  },
  {
    title: "Killing every process at once is refused",
    cells: ["import os; os.kill(-1, 9)"],
    expect: failsWith("PermissionError"),
  },
  {
    title: "Killing the parent changes nothing",
    cells: ["import os, time; os.kill(os.getppid(), 9); time.sleep(0.2); kept"],
    expect: gives(42),
  },
  {
    title: "A segmentation fault is named and the session restored",
    cells: ["import ctypes; ctypes.string_at(0)"],
    expect: diesOf(/SIGSEGV/),
  },
  {
    title: "Recursion without end is an error or a named crash",
    cells: [
      py`
        import sys
        sys.setrecursionlimit(10**9)
        def down(): return [*map(lambda _: down(), [0])]
        down()
      `,
    ],
    timeoutMs: 8000,
    expect: failsWith("RecursionError", "WorkerDied", "MemoryError"),
  },
  {
    title: "Code that nests too deeply is an error or a named crash",
    cells: [
      `${"(".repeat(5000)}1${")".repeat(5000)}`,
      `x = ${"-".repeat(100_000)}1`,
      `${"[".repeat(90)}${"]".repeat(90)}`,
    ],
  },
  {
    title: "A machine instruction that is none ends only the cell",
    cells: [
      py`
        import ctypes, mmap
        code = mmap.mmap(-1, 4096, prot=7)
        code.write(b"\x0f\x0b")
        ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
      `,
    ],
    expect: diesOf(/SIGILL/),
  },
  {
    title: "An alarm that rings after its cell does not end the next one",
    cells: [
      "import signal; _ = signal.setitimer(signal.ITIMER_REAL, 0.05)",
      "import time; time.sleep(0.3); kept",
    ],
    expect: gives(42),
  },
  {
    title: "A processor-time alarm of an earlier cell does not end the next one",
    cells: [
      "import signal; _ = signal.setitimer(signal.ITIMER_VIRTUAL, 0.1), signal.setitimer(signal.ITIMER_PROF, 0.1)",
      "total = sum(range(30_000_000)); kept",
    ],
    expect: gives(42),
  },
];
