import assert from "node:assert/strict";
import type { HostileCase } from "../case.ts";
import { py } from "../python.ts";

const neverInTheNext: HostileCase["expect"] = (results) =>
  assert.doesNotMatch(JSON.stringify(results.slice(1)), /late/);

const WAIT = "import time; time.sleep(0.5); print('mine')";

export const lateOutputCases: readonly HostileCase[] = [
  {
    title: "A thread that prints later is not heard in another cell",
    cells: [
      "import threading, time\nfor wait in (0.2, 0.4): threading.Timer(wait, print, ['late']).start()",
      WAIT,
    ],
    expect: neverInTheNext,
  },
  {
    title: "A thread that starts threads that print later is not heard in another cell",
    cells: [
      py`
        import threading
        def again(times):
            print("late", flush=True)
            if times:
                threading.Timer(0.05, again, [times - 1]).start()
        threading.Timer(0.1, again, [12]).start()
      `,
      WAIT,
    ],
    expect: neverInTheNext,
  },
  {
    title: "A thread that logs later is not heard in another cell",
    cells: [
      py`
        import logging, threading, warnings
        logging.basicConfig()
        threading.Timer(0.2, logging.error, ["late"]).start()
        threading.Timer(0.3, lambda: 1 / 0, []).start()
      `,
      WAIT,
    ],
    expect: (results) => assert.doesNotMatch(JSON.stringify(results.slice(1)), /late|ZeroDivision/),
  },
  {
    title: "A task that prints later is not heard in another cell",
    cells: [
      "import asyncio\nasync def later():\n    await asyncio.sleep(0.1)\n    print('late')\ntask = asyncio.create_task(later())\nawait asyncio.sleep(0)",
      "await asyncio.sleep(0.3)\nprint('mine')",
    ],
    expect: neverInTheNext,
  },
  {
    title: "A subprocess that prints later is not heard in another cell",
    cells: [
      "import subprocess; later = subprocess.Popen('sleep 0.2; echo late; echo late >&2', shell=True)",
      WAIT,
    ],
    expect: neverInTheNext,
  },
  {
    title: "A forked child that prints later is not heard in another cell",
    cells: [
      "import os, time\nif os.fork() == 0:\n    time.sleep(0.2); print('late', flush=True); os.write(1, b'late'); os._exit(0)",
      WAIT,
    ],
    expect: neverInTheNext,
  },
  {
    title: "What was registered for the exit is not heard in another cell",
    cells: ["import atexit, weakref\natexit.register(print, 'late')\nimport sys; sys.exit(0)", WAIT],
    expect: neverInTheNext,
  },
  {
    title: "A stream that an earlier cell kept is not heard in another cell",
    cells: [
      "import sys, threading; kept_stream = sys.stdout; threading.Timer(0.2, lambda: kept_stream.write('late')).start()",
      WAIT,
    ],
    expect: neverInTheNext,
  },
];
