import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { glovebox, inShell, jsonLines, temporaryFolder } from "./glovebox.ts";

test("a cell that fails stops the rest with status 1", async () => {
  const { status, stdout, stderr } = await glovebox(["run", "-c", "1/0", "-c", "print('next')"]);
  assert.deepEqual({ status, stdout }, { status: 1, stdout: "" });
  assert.match(stderr, /^Traceback[\s\S]*<cell 1>[\s\S]*ZeroDivisionError: division by zero\n$/);
});

test("--keep-going runs the rest and still tells of the failure", async () => {
  const { status, stdout } = await glovebox(["run", "--keep-going", "-c", "1/0", "-c", "print('next')"]);
  assert.deepEqual({ status, stdout }, { status: 1, stdout: "next\n" });
});

test("a script that exits with 0 has not failed, with another number it has", async () => {
  const well = await glovebox(["run", "-c", "import sys; sys.exit(0)", "-c", "exit()", "-c", "print('on')"]);
  assert.deepEqual(well, { status: 0, stdout: "on\n", stderr: "" });
  assert.equal((await glovebox(["run", "-c", "import sys; sys.exit(4)"])).status, 1);
});

test("the time limit ends with 124", async () => {
  const { status, stderr } = await glovebox(["run", "--timeout", "0.5", "-c", "while True: pass"]);
  assert.equal(status, 124);
  assert.match(stderr, /The time limit of 0.5 s was reached/);
});

test("an interrupt ends the cell and then the run with 130", async () => {
  const code =
    "import time\nprint('started', flush=True)\ntry:\n  time.sleep(60)\nfinally:\n  print('tidied')";
  const { status, stdout } = await glovebox(["run", "-c", code, "-c", "print('next')"], {
    onShown: { text: "started", act: (kill) => kill("SIGINT") },
  });
  assert.deepEqual({ status, stdout }, { status: 130, stdout: "started\ntidied\n" });
});

test("a second interrupt does not wait for the cell", async () => {
  const code =
    "import signal, time\nsignal.signal(2, lambda *_: print('ignored', flush=True))\nprint('started', flush=True)\nwhile True: time.sleep(1)";
  let kill = (_: NodeJS.Signals) => {};
  const outcome = glovebox(["run", "-c", code], {
    onShown: {
      text: "started",
      act(send) {
        kill = send;
        kill("SIGINT");
        setTimeout(() => kill("SIGINT"), 200);
      },
    },
  });
  assert.equal((await outcome).status, 130);
});

for (const [signal, expected] of [
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const) {
  test(`${signal} ends the run and leaves nothing`, async () => {
    const code = "import time\nprint('started', flush=True)\ntime.sleep(60)";
    const { status, stdout, stderr } = await glovebox(["run", "-c", code], {
      onShown: { text: "started", act: (kill) => kill(signal) },
    });
    assert.deepEqual({ status, stdout, stderr }, { status: expected, stdout: "started\n", stderr: "" });
  });
}

test("a Python that does not start is status 3, with the fix in one line", async () => {
  const env = { GLOVEBOX_PYTHON: "/nonexistent/python" };
  const human = await glovebox(["run", "-c", "1"], { env });
  assert.deepEqual(human, {
    status: 3,
    stdout: "",
    stderr:
      "glovebox: GLOVEBOX_PYTHON: /nonexistent/python is not a Python that starts. Set it to a Python 3.10 or newer, or unset it.\n",
  });
  const json = await glovebox(["run", "--json", "-c", "1"], { env });
  assert.deepEqual(jsonLines(json.stdout), [
    { error: { code: "environment", message: human.stderr.slice("glovebox: ".length, -1) } },
  ]);
  assert.deepEqual({ status: json.status, stderr: json.stderr }, { status: 3, stderr: "" });
});

test("a home that cannot be used is status 3", async () => {
  const file = join(await temporaryFolder(), "file");
  await writeFile(file, "");
  const { status, stderr } = await glovebox(["run", "-c", "1"], {
    env: { GLOVEBOX_HOME: join(file, "home") },
  });
  assert.equal(status, 3);
  assert.match(stderr, /^glovebox: Cannot write to .*Make it writable for you, or choose another home\.\n$/);
});

test("walls that cannot be raised are status 3, and doctor names the command that mends it", async (t) => {
  const forbid = "echo 0 > /proc/sys/user/max_user_namespaces && echo 0 > /proc/sys/user/max_mnt_namespaces";
  const without = (command: string) => inShell(`unshare -Ur bash -c '${forbid} && exec ${command}'`);
  if ((await without("true")).status !== 0) return t.skip("this machine lets nobody forbid namespaces");
  const run = await without("$GLOVEBOX run -c 1");
  assert.equal(run.status, 3);
  assert.match(run.stderr, /The local sandbox cannot start: .*glovebox doctor/);
  const doctor = await without("$GLOVEBOX doctor --json");
  assert.equal(doctor.status, 3);
  const { ok, checks } = jsonLines(doctor.stdout)[0] as { ok: boolean; checks: object[] };
  assert.equal(ok, false);
  assert.deepEqual(checks.slice(-2), [
    {
      group: "walls",
      name: "user namespaces",
      ok: false,
      detail: "refused (ENOSPC): user.max_user_namespaces is 0",
      mend: "sudo sysctl -w user.max_user_namespaces=15000",
    },
    {
      group: "walls",
      name: "mount namespaces",
      ok: false,
      detail: "refused (ENOSPC): user.max_mnt_namespaces is 0",
      mend: "sudo sysctl -w user.max_mnt_namespaces=15000",
    },
  ]);
});
