import assert from "node:assert/strict";
import type { HostileCase } from "../case.ts";
import { failsWith, gives, last, prints, succeeds } from "../oracles.ts";
import { OTHERS, py } from "../python.ts";

export const processCases: readonly HostileCase[] = [
  {
    title: "A fork bomb is refused inside and reaped as a whole",
    cells: [
      py`
        import os
        while True:
            try:
                os.fork()
            except OSError:
                pass
      `,
    ],
    timeoutMs: 1000,
    expect: failsWith("TimeLimit"),
  },
  {
    title: "A fork bomb of the shell is refused inside and reaped as a whole",
    cells: ["!bash -c 'bomb() { bomb | bomb & }; bomb; sleep 60' 2>/dev/null"],
    timeoutMs: 1000,
  },
  {
    title: "Ten thousand threads are an error inside",
    cells: [
      py`
        import threading
        stop = threading.Event()
        threads = []
        try:
            for _ in range(10_000):
                threads.append(threading.Thread(target=stop.wait))
                threads[-1].start()
        finally:
            stop.set()
            for thread in threads[:-1]:
                thread.join()
      `,
    ],
    expect: failsWith("RuntimeError"),
  },
  {
    title: "A session whose processes are used up still runs cells",
    cells: [
      py`
        import os, time
        children = []
        try:
            while True:
                pid = os.fork()
                if pid == 0:
                    time.sleep(600)
                    os._exit(0)
                children.append(pid)
        except OSError as error:
            print(error.strerror)
      `,
      "kept + 1",
    ],
    expect: gives(43),
  },
  {
    title: "A worker that dies while its processes are used up comes back",
    cells: [
      py`
        import os, time
        try:
            while True:
                if os.fork() == 0:
                    os.setsid()
                    time.sleep(600)
                    os._exit(0)
        except OSError:
            os._exit(3)
      `,
    ],
    expect: failsWith("WorkerDied"),
  },
  {
    title: "Zombies left by a cell do not use up the session",
    cells: [
      py`
        import os
        try:
            while True:
                if os.fork() == 0:
                    os._exit(0)
        except OSError as error:
            print(error.strerror)
      `,
      "import subprocess; kept",
    ],
    expect: gives(42),
  },
  {
    title: "A session without free file descriptors runs the next cell and shows what it prints",
    cells: [
      py`
        import os
        held = []
        try:
            while True:
                held.append(os.open("/dev/null", os.O_RDONLY))
        except OSError as error:
            print(error.strerror)
      `,
      "print('heard')",
    ],
    expect: prints("heard\n"),
  },
  {
    title: "A daemon that was forked twice ends with its session",
    cells: [
      py`
        import os, signal, time
        if os.fork() == 0:
            os.setsid()
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
            if os.fork() > 0:
                os._exit(0)
            while True:
                time.sleep(1)
        print("left")
      `,
    ],
    expect: prints("left\n"),
  },
  {
    title: "Commands in the background of a shell end with their session",
    cells: [
      "%%bash\n(trap '' HUP INT TERM; while :; do sleep 5; done) >/dev/null 2>&1 &\nnohup sleep 600 >/dev/null 2>&1 &\necho away",
    ],
    expect: prints("away\n"),
  },
  {
    title: "A command in the background that holds a cell's output is ended at the time limit, which is said",
    cells: ["%%bash\nsleep 600 &\necho away"],
    timeoutMs: 700,
    expect: (results) => assert.match(`${last(results).notice}`, /time limit/),
  },
  {
    title: "Frozen copies that were stopped serve again when they are needed",
    cells: [
      OTHERS +
        py`
          time.sleep(0.3)
          for pid in others():
              os.kill(pid, signal.SIGSTOP)
          os._exit(0)
        `,
    ],
    expect: failsWith("WorkerDied"),
  },
  {
    title: "Frozen copies that were killed are said to be lost",
    cells: [
      OTHERS +
        py`
          for _ in range(20):
              for pid in others():
                  os.kill(pid, signal.SIGKILL)
              time.sleep(0.02)
          os._exit(0)
        `,
    ],
    keeps: "files",
    expect: failsWith("WorkerDied"),
  },
  {
    title: "A copy that is killed in the moment it is needed does not hang the session",
    cells: [
      OTHERS +
        py`
          time.sleep(0.3)
          me, copies = os.getpid(), others()
          if os.fork() == 0:
              os.setsid()
              while True:
                  try:
                      os.kill(me, 0)
                  except OSError:
                      break
              for pid in copies:
                  try:
                      os.kill(pid, signal.SIGKILL)
                  except OSError:
                      pass
              os._exit(0)
          time.sleep(0.1)
          os.kill(me, signal.SIGKILL)
        `,
    ],
    keeps: "files",
    expect: failsWith("WorkerDied"),
  },
  {
    title: "A worker that adopts its copies and kills them does not hang the session",
    cells: [
      py`
        import ctypes
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
      `,
      OTHERS +
        py`
          time.sleep(0.3)
          for pid in others():
              os.kill(pid, signal.SIGKILL)
          os.kill(os.getpid(), signal.SIGKILL)
        `,
    ],
    keeps: "files",
    expect: failsWith("WorkerDied"),
  },
  {
    title: "A forked child that returns from the cell does not answer for it, nor disturb the next",
    cells: [
      py`
        import os, time
        parent = os.getpid()
        if os.fork() == 0:
            time.sleep(0.4)
        os.getpid() == parent
      `,
      "time.sleep(0.8); kept",
    ],
    expect(results) {
      assert.deepEqual(results[0]?.kind === "object" && results[0].json, true);
      gives(42)(results);
    },
  },
  {
    title: "Raised priorities and real-time scheduling are refused, a lowered one is harmless",
    cells: [
      py`
        import os
        refused = []
        for attempt in (lambda: os.nice(-5), lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))):
            try:
                attempt()
            except OSError:
                refused.append(True)
        os.nice(19)
        len(refused)
      `,
    ],
    expect: gives(2),
  },
  {
    title: "Limits cannot be changed, neither up nor down",
    cells: [
      py`
        import resource
        changed = []
        for name in ("RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_DATA", "RLIMIT_FSIZE", "RLIMIT_AS", "RLIMIT_STACK"):
            for value in (1, resource.RLIM_INFINITY):
                try:
                    resource.setrlimit(getattr(resource, name), (value, value))
                    changed.append(name)
                except (OSError, ValueError):
                    pass
                try:
                    resource.prlimit(1, getattr(resource, name), (value, value))
                    changed.append(name + " of PID 1")
                except (OSError, ValueError):
                    pass
        changed
      `,
    ],
    expect: gives([]),
  },
  {
    title: "A crash leaves no core, not even to a helper of the host",
    cells: ["import resource; resource.getrlimit(resource.RLIMIT_CORE)"],
    // Zero does not keep the kernel from starting the program that a piped core_pattern names; one does.
    expect: gives([1, 1]),
  },
  {
    title: "A write to a peer that is gone is an error and not a death",
    cells: [
      py`
        import socket
        near, far = socket.socketpair()
        far.close()
        near.send(b"x")
      `,
    ],
    expect: failsWith("BrokenPipeError"),
  },
  {
    title: "Processes that write without end to a cell that is over are not heard",
    cells: [
      "import subprocess; noise = subprocess.Popen(['sh', '-c', 'while :; do echo noise; done'])",
      "print('clear')",
    ],
    expect(results) {
      succeeds(results);
      prints("clear\n")([last(results)]);
    },
  },
];
