import type { HostileCase } from "../case.ts";
import { failsWith } from "../oracles.ts";
import { py } from "../python.ts";

const outOfTime = failsWith("TimeLimit");

export const timeCases: readonly HostileCase[] = [
  {
    title: "An endless loop is interrupted at its time limit",
    cells: ["while True: pass"],
    timeoutMs: 500,
    expect: outOfTime,
  },
  {
    title: "A loop that catches every exception is ended after the grace",
    cells: [
      py`
        import time
        while True:
            try:
                time.sleep(9)
            except BaseException:
                pass
      `,
    ],
    timeoutMs: 500,
    expect: outOfTime,
  },
  {
    title: "A loop that ignores every signal is ended after the grace",
    cells: [
      py`
        import signal
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGHUP, signal.SIGQUIT):
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        while True: pass
      `,
    ],
    timeoutMs: 500,
    expect: outOfTime,
  },
  {
    title: "A cell whose finally never ends is ended",
    cells: [
      py`
        try:
            while True: pass
        finally:
            while True:
                try:
                    while True: pass
                except KeyboardInterrupt:
                    pass
      `,
    ],
    timeoutMs: 500,
    expect: outOfTime,
  },
  {
    title: "Arithmetic without a bytecode boundary is ended in time",
    cells: ["len(str(10**10**8))"],
    timeoutMs: 500,
    expect: failsWith("TimeLimit", "ValueError"),
  },
  {
    title: "A long call into a native library is ended in time",
    cells: ["import numpy as np; np.linalg.eig(np.random.rand(1800, 1800))"],
    timeoutMs: 500,
    expect: outOfTime,
  },
  {
    title: "A regular expression that backtracks for ever is stopped",
    cells: ["import re; re.match(r'(a|a|a|a)*$', 'a' * 64 + 'b')"],
    timeoutMs: 500,
    expect: outOfTime,
  },
  {
    title: "A worker that stops itself is ended at the time limit",
    cells: ["import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"],
    timeoutMs: 500,
    expect: outOfTime,
  },
  {
    title: "Clocks that lie inside the worker do not move the deadline",
    cells: [
      py`
        import time
        time.time = time.monotonic = time.perf_counter = lambda: 0.0
        while True: pass
      `,
    ],
    timeoutMs: 500,
    expect: outOfTime,
  },
  {
    title: "A subprocess that ignores the interrupt does not hold the cell",
    cells: [
      py`
        import subprocess
        subprocess.run(["sh", "-c", "trap '' INT TERM HUP; while :; do sleep 60; done"])
      `,
    ],
    timeoutMs: 500,
    expect: outOfTime,
  },
  {
    title: "Threads that spin do not keep the next cells from running",
    cells: [
      py`
        import threading
        def spin():
            while True: pass
        for _ in range(8):
            threading.Thread(target=spin, daemon=True).start()
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
        while True: pass
      `,
    ],
    timeoutMs: 500,
    expect: outOfTime,
  },
];
