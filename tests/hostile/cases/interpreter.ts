import assert from "node:assert/strict";
import type { HostileCase } from "../case.ts";
import { failsWith, gives, last, prints, succeeds } from "../oracles.ts";
import { py } from "../python.ts";

const HOSTILE_METHODS = [
  "__repr__",
  "__str__",
  "_repr_html_",
  "__len__",
  "__eq__",
  "__bool__",
  "__getattr__",
  "__format__",
];

const hostileObject = (body: string) => py`
  import os, sys, time
  def hostile(*arguments, **named):
      ${body}
  class Hostile:
      __class__ = property(hostile)
  for name in ${JSON.stringify(HOSTILE_METHODS)}:
      setattr(Hostile, name, hostile)
  Hostile()
`;

export const interpreterCases: readonly HostileCase[] = [
  {
    title: "Builtins that were replaced are back in the next cell",
    cells: [
      py`
        import builtins
        for name in ("print", "open", "exec", "eval", "compile", "__import__", "repr", "len", "isinstance", "getattr", "type", "str"):
            setattr(builtins, name, lambda *arguments, **named: 1 / 0)
      `,
      "print(len([1, 2]))",
    ],
    expect: prints("2\n"),
  },
  {
    title: "Deleted builtins are back in the next cell",
    cells: [
      "import builtins\nfor name in list(vars(builtins)): delattr(builtins, name)",
      "print(sum([1, 2]), ValueError, abs(-1))",
    ],
    expect: prints(/^3 /),
  },
  {
    title: "A broken json, os, io and threading do not break the worker",
    cells: [
      py`
        import json, json.encoder, os, io, threading, struct, signal
        for module in (json, json.encoder, os, io, threading, struct, signal):
            for name in [name for name in vars(module) if not name.startswith("__")]:
                try:
                    delattr(module, name)
                except Exception:
                    pass
      `,
    ],
    keeps: "files",
  },
  {
    title: "Standard streams that were taken away are back in the next cell",
    cells: ["import sys; sys.stdout = sys.stderr = sys.__stdout__ = sys.stdin = None", "print('heard')"],
    expect: prints("heard\n"),
  },
  {
    title: "Standard streams that were closed are back in the next cell",
    cells: [
      "import os, sys; sys.stdout.close(); sys.stderr.close(); os.close(1); os.close(2); os.close(0)",
      "print('heard')",
    ],
    expect: prints("heard\n"),
  },
  {
    title: "Modules that were cleared away are back in the next cell",
    cells: [
      "import sys; sys.modules.clear(); sys.path.clear(); sys.meta_path.clear(); sys.path_hooks.clear()",
      "import csv, pandas as pd; len(pd.DataFrame({'a': [1]}))",
    ],
    expect: gives(1),
  },
  {
    title: "A trace that raises everywhere ends with its cell",
    cells: [
      py`
        import sys, threading
        def trace(*_): raise RuntimeError("traced")
        threading.settrace(trace); sys.setprofile(trace); sys.settrace(trace)
      `,
    ],
  },
  {
    title: "A kernel loop that was patched does not cost the next cell",
    cells: [
      py`
        import sys
        def broken(*_, **__): raise RuntimeError("patched")
        for name, module in list(sys.modules.items()):
            if name.startswith("glovebox_kernel"):
                for each in list(vars(module).values()):
                    if isinstance(each, type) and each.__module__.startswith("glovebox_kernel"):
                        for method in [key for key, value in vars(each).items() if callable(value) and not key.startswith("__")]:
                            setattr(each, method, broken)
      `,
    ],
    keeps: "files",
  },
  {
    title: "State of the kernel that a cell finds in its frames and patches does not cost the next cell",
    cells: [
      py`
        import sys
        frame = sys._getframe()
        while frame:
            for value in list(frame.f_locals.values()):
                if type(value).__module__.startswith(("glovebox_kernel", "IPython")):
                    getattr(value, "__dict__", {}).clear()
            frame = frame.f_back
      `,
    ],
    keeps: "files",
  },
  {
    title: "An object whose every method raises is described",
    cells: [hostileObject("raise RuntimeError('hostile')")],
    expect: succeeds,
  },
  {
    title: "An object whose every method prints a lot is described",
    cells: [hostileObject("print('x' * 1_000_000); return 'x' * 1_000_000")],
  },
  {
    title: "An object whose every method loops is stopped",
    cells: [hostileObject("while True: pass")],
    timeoutMs: 700,
  },
  { title: "An object whose every method exits ends its cell", cells: [hostileObject("os._exit(0)")] },
  {
    title: "An object whose every method raises SystemExit is no exit",
    cells: [hostileObject("raise SystemExit")],
  },
  {
    title: "A destructor that loops does not outlast its cell",
    cells: ["class Late:\n    def __del__(self):\n        while True: pass\nlate = Late(); del late"],
    timeoutMs: 700,
  },
  {
    title: "An exception whose words cannot be had is still an error",
    cells: [
      "class Broken(Exception):\n    def __str__(self): raise ValueError\n    __repr__ = __str__\nraise Broken",
    ],
    expect: failsWith("Broken"),
  },
  {
    title: "An exception that is its own cause, a thousand times, is told in bounds",
    cells: [
      py`
        error = ValueError("x" * 1_000_000)
        for _ in range(3000):
            try:
                raise ValueError("y" * 1000) from error
            except ValueError as caught:
                error = caught
        error.__cause__.__context__ = error
        raise error
      `,
    ],
    expect(results) {
      failsWith("ValueError")(results);
      assert.ok(JSON.stringify(last(results)).length < 1 << 20);
    },
  },
  {
    title: "Variables whose every method loops do not hang a listing of variables",
    async act({ session, run }) {
      await run(`${hostileObject("while True: pass").replace(/Hostile\(\)\s*$/, "")}h = Hostile()`);
      await session.variables().catch((error) => assert.equal(error.name, "GloveboxError"));
    },
  },
  {
    title: "A working folder that is gone, an empty environment and another locale are mended or harmless",
    cells: [
      py`
        import locale, os, sys
        os.mkdir("/tmp/gone"); os.chdir("/tmp/gone"); os.rmdir("/tmp/gone")
        os.environ.clear(); os.umask(0o777)
        try:
            locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
        except locale.Error:
            pass
      `,
      "import pandas; open('mended.txt', 'w').write('ü'); open('mended.txt').read()",
    ],
    expect: gives("ü"),
  },
  { title: "input() ends at once", cells: ["input('name? ')"], expect: failsWith("EOFError") },
  { title: "breakpoint() ends at once", cells: ["breakpoint()\n1"], timeoutMs: 5000 },
  { title: "pdb.set_trace() ends at once", cells: ["import pdb\npdb.set_trace()\n1"], timeoutMs: 5000 },
  { title: "A post-mortem debugger ends at once", cells: ["1/0", "%debug"], timeoutMs: 5000 },
  {
    title: "Reading standard input ends at once",
    cells: ["import sys; (sys.stdin.read(), __import__('os').read(0, 10).decode())"],
    timeoutMs: 5000,
    expect: gives(["", ""]),
  },
  {
    title: "A shell that waits for input ends at once",
    cells: ["!cat; read line; echo over"],
    timeoutMs: 5000,
    expect: prints("over\n"),
  },
  {
    title: "Hooks of IPython that raise or loop are the session's own, and it still answers",
    cells: [
      py`
        def raising(*_): raise RuntimeError("hook")
        for name in ("pre_execute", "pre_run_cell", "post_execute", "post_run_cell"):
            get_ipython().events.register(name, raising)
      `,
      py`
        for name in ("pre_execute", "pre_run_cell", "post_execute", "post_run_cell"):
            get_ipython().events.unregister(name, raising)
      `,
    ],
  },
];
