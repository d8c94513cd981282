import assert from "node:assert/strict";
import type { HostileCase } from "../case.ts";
import { diesOf, failsWith, gives, last, succeeds } from "../oracles.ts";
import { CHANNEL, LINGERING_SOCKET, OTHERS, py } from "../python.ts";

const notForged: HostileCase["expect"] = (results) =>
  assert.doesNotMatch(
    JSON.stringify(results.map(({ notice: _, ...result }) => ("json" in result ? result.json : null))),
    /forged/,
  );

export const channelCases: readonly HostileCase[] = [
  {
    title: "A cell that closes every descriptor ends and the session comes back",
    cells: ["import os\nos.closerange(0, 256)"],
    expect: failsWith("WorkerDied"),
  },
  {
    title: "A cell that puts /dev/null over every descriptor ends and the session comes back",
    cells: [
      py`
        import os
        nothing = os.open("/dev/null", os.O_RDWR)
        for number in range(256):
            os.dup2(nothing, number)
      `,
    ],
    expect: failsWith("WorkerDied"),
  },
  {
    title: "A cell that puts its own socket over the channel does not speak for the supervisor",
    cells: [
      CHANNEL +
        py`
          near, far = socket.socketpair()
          held = [os.dup(number) for number in channels]
          for number in channels:
              os.dup2(near.fileno(), number)
          time.sleep(0.2)
        `,
    ],
    timeoutMs: 2000,
    expect: failsWith("WorkerDied", "TimeLimit"),
  },
  {
    title: "Forged frames with a guessed secret on every descriptor are never a result",
    cells: [
      CHANNEL +
        py`
          forged = b"".join(frame({**result(), "type": kind, "secret": guess, "cell": cell, "duration_ms": 1.0, "changes": {"changed": [], "removed": []}})
              for kind in ("result", "hello", "started", "ready") for guess in ("", "0" * 32) for cell in range(4))
          for number in range(256):
              try:
                  os.set_blocking(number, False)
                  os.write(number, forged)
              except OSError:
                  pass
          os._exit(0)
        `,
    ],
    expect(results) {
      failsWith("WorkerDied")(results);
      notForged(results);
    },
  },
  {
    title: "A forged result of the next cell is never that cell's",
    cells: [`${CHANNEL}tell(frame({**result(), 'secret': '0' * 32}))`, "kept"],
    expect: notForged,
  },
  {
    title: "A cell that lies about its own result lies about no other",
    cells: [`${CHANNEL}tell(frame(result()))`, "kept"],
    expect: (results) => gives(42)(results),
  },
  ...Object.entries({
    "half a frame": "tell(frame(result())[:-5])",
    "a frame of four gigabytes": "tell(raw_frame(b'{}', claimed=(0xffffffff, 0xffffffff)))",
    "a frame that is no JSON": "tell(raw_frame(b'nonsense'))",
    "a frame whose type is a list": "tell(frame({'type': ['result']}))",
    "a frame that nests without end": 'tell(raw_frame(b\'{"type":"result","x":\' + b\'[\' * 200_000))',
    "a frame with a number of a million digits":
      "tell(raw_frame(b'{\"type\":\"variables\",\"variables\":' + b'9' * 1_000_000 + b'}'))",
    "a result whose thread count is infinite":
      "tell(raw_frame(json.dumps(result(threads='T')).replace('\"T\"', '1e999').encode()))",
    "a result of an unknown kind": "tell(frame(result(result={'kind': 'host'})))",
    "a result whose images are no images": "tell(frame(result(images=[{'file': 7}, None])))",
    "a result that nests to the brink":
      "tell(raw_frame(json.dumps(result(result={'kind': 'object', 'repr': '', 'json': 'J'})).replace('\"J\"', '[' * 980 + ']' * 980).encode()))",
    "an error without a name after long output":
      "print('x' * 3_000_000); tell(frame(result(result={'kind': 'error'})))",
    "a display whose parts are no parts":
      "tell(frame({'type': 'display', 'secret': secret(), 'of_result': True, 'parts': [{'mime': 1, 'bytes': -1}]}))",
    "a display that renames a prototype":
      "tell(frame({'type': 'display', 'secret': secret(), 'of_result': True, 'parts': [{'mime': '__proto__', 'bytes': 2}]}, b'{}'))",
    "a hundred thousand small frames": "tell(frame({'type': 'unbranched'}) * 100_000)",
  }).map(([what, code]) => ({
    title: `On the worker's channel, ${what} hurts only its own cell`,
    cells: [`${CHANNEL}${code}\ntime.sleep(0.3)`],
    timeoutMs: 4000,
  })),
  {
    title: "Half a frame and a death do not spoil the next worker",
    cells: [`${CHANNEL}tell(frame(result())[:20])\nos._exit(0)`],
    expect: failsWith("WorkerDied"),
  },
  {
    title: "A child that floods the channel after its worker's death does not deafen the supervisor",
    cells: [
      CHANNEL +
        py`
          if os.fork() == 0:
              flood = frame({"type": "unbranched"}) * 20_000
              while True:
                  tell(flood)
          time.sleep(0.3)
          os._exit(0)
        `,
    ],
    timeoutMs: 3000,
  },
  {
    title: "Descriptors sent to the supervisor do not fill its table",
    cells: [
      CHANNEL +
        py`
          nothing = os.open("/dev/null", os.O_RDONLY)
          for number in sockets:
              peer = socket.socket(fileno=os.dup(number))
              try:
                  for _ in range(400):
                      socket.send_fds(peer, [frame({"type": "unbranched"})], [nothing] * 250)
              except OSError:
                  pass
        `,
    ],
    timeoutMs: 5000,
  },
  {
    title: "A socket that lingers when it is closed cannot freeze the supervisor",
    cells: [`${CHANNEL}${LINGERING_SOCKET}time.sleep(0.2)\n`],
    timeoutMs: 2000,
  },
  {
    title: "Descriptors in flight without number do not keep the next cell from starting",
    cells: [
      py`
        import os, socket, time
        if os.fork() == 0:
            os.setsid()
            pairs = []
            try:
                while True:
                    pairs.append(socket.socketpair())
                    for _ in range(20):
                        socket.send_fds(pairs[-1][0], [b"."], [0] * 200)
            except OSError:
                pass
            time.sleep(600)
        time.sleep(0.5)
      `,
    ],
    act: async ({ run }) => void (await run("kept", { timeoutMs: 5000 })),
    expect: gives(42),
  },
  {
    title: "A cell that reads its channel ahead gets nothing that is not its own",
    cells: [
      CHANNEL +
        py`
          got = []
          for number in channels:
              os.set_blocking(number, False)
              try:
                  got.append(len(os.read(number, 65536)))
              except OSError:
                  pass
              os.set_blocking(number, True)
          got
        `,
    ],
    expect: gives([]),
  },
  {
    title: "A thread that steals the next cell from the channel does not hang the session",
    cells: [
      CHANNEL +
        py`
          import threading
          def steal():
              while True:
                  for number in channels:
                      try:
                          os.read(number, 1)
                      except OSError:
                          time.sleep(0.01)
          threading.Thread(target=steal, daemon=True).start()
        `,
      "'stolen'",
    ],
    timeoutMs: 1500,
  },
  {
    title: "A thread that steals a copy's greeting and gives its own does not hang the session",
    cells: [
      CHANNEL +
        py`
          import threading
          stolen = []
          def steal():
              for number in sockets:
                  peer = socket.socket(fileno=os.dup(number))
                  peer.setblocking(True)
                  while True:
                      _, descriptors, _, _ = socket.recv_fds(peer, 65536, 8)
                      stolen.extend(descriptors)
                      for descriptor in descriptors:
                          try:
                              os.write(descriptor, frame({"type": "hello"}))
                          except OSError:
                              pass
          thief = threading.Thread(target=steal, daemon=True)
          # A thread that the kernel's count of threads does not see would be copied.
          threading.active_count = lambda: 1
          sys.modules["threading"].active_count = lambda: 1
          for name, module in list(sys.modules.items()):
              if name.startswith("glovebox_kernel") and hasattr(module, "threads_that_die_in_a_copy"):
                  module.threads_that_die_in_a_copy = lambda: 0
          thief.start()
        `,
    ],
    act: async ({ run }) => {
      await run("'stolen'", { timeoutMs: 1500 });
      await run("import os; os._exit(0)", { timeoutMs: 1500 });
    },
    keeps: "files",
  },
  {
    title: "Forged variables are not believed",
    async act({ run, session }) {
      const forging = run(
        `${CHANNEL}time.sleep(0.3)\ntell(frame({"type": "variables", "variables": [{"name": "forged", "type": "int", "repr": "1", "bytes": 1}], "complete": True}))\ntime.sleep(0.2)`,
        { onEvent: (event) => event.type === "cell-start" && asked.push(session.variables()) },
      );
      const asked: Promise<readonly { name: string }[]>[] = [];
      await forging;
      const names = (await asked[0]?.catch(() => []))?.map((variable) => variable.name) ?? [];
      assert.ok(!names.includes("forged"), "the forged variable was told");
    },
  },
  {
    title: "The supervisor cannot be read, written or traced",
    cells: [
      py`
        import os
        got = []
        for name in ("mem", "environ", "maps", "fd", "root", "cwd", "exe", "auxv", "syscall", "stack", "task/1/mem", "map_files"):
            path = f"/proc/1/{name}"
            for attempt in (lambda: os.listdir(path), lambda: os.readlink(path), lambda: open(path, "rb").read(1), lambda: open(path, "r+b")):
                try:
                    attempt()
                    got.append(name)
                except OSError:
                    pass
        got
      `,
    ],
    expect: gives([]),
  },
  {
    title: "No descriptor but the standard ones and the channel is inherited",
    cells: [
      OTHERS +
        py`
          import stat
          inherited = []
          for number in range(3, 1024):
              try:
                  target = os.readlink(f"/proc/self/fd/{number}")
              except OSError:
                  continue
              if not target.startswith(("socket:", "pipe:")) and "/proc" not in target and target != "/dev/null":
                  inherited.append(target)
          inherited
        `,
    ],
    expect: gives([]),
  },
  {
    title: "A worker that loses its channel while a child still holds it does not hang",
    cells: [
      CHANNEL +
        py`
          if os.fork() == 0:
              time.sleep(600)
              os._exit(0)
          for number in channels:
              os.close(number)
        `,
    ],
    timeoutMs: 1500,
    expect: (results) => assert.equal(last(results).kind, "error"),
  },
  {
    title: "A worker that exits with the kernel's own status is only a dead worker",
    cells: ["import os; os._exit(71)", "import os; os._exit(71)"],
    keeps: "files",
    expect: diesOf(/71/),
  },
  {
    title: "A session without any cell running outlives what its worker does to itself",
    cells: [
      "import threading, os; threading.Timer(0.1, os._exit, [0]).start()",
      "import time; time.sleep(0.3)",
      "1",
    ],
    expect: succeeds,
  },
];
