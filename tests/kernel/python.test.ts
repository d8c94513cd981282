import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { kernelFolder, pythonEnvironment } from "../../src/compose.ts";
import { gloveboxHome } from "../../src/config.ts";

interface Ran {
  readonly name: string;
  readonly outcome: "ok" | "skipped" | "failed";
  readonly detail: string;
}

/** Runs the kernel's unittests in the sessions' own Python and reports each one. */
const REPORTER = `
import json, sys, unittest
class Result(unittest.TestResult):
    def tell(self, test, outcome, detail=""):
        print(json.dumps({"name": test.id(), "outcome": outcome, "detail": detail}), flush=True)
    def addSuccess(self, test): self.tell(test, "ok")
    def addSkip(self, test, reason): self.tell(test, "skipped", reason)
    def addError(self, test, error): self.tell(test, "failed", self._exc_info_to_string(error, test))
    addFailure = addError
    def addSubTest(self, test, subtest, error):
        if error is not None: self.tell(subtest, "failed", self._exc_info_to_string(error, test))
unittest.defaultTestLoader.discover("tests").run(Result())
`;

const { python } = await pythonEnvironment(gloveboxHome());
const child = spawn(python, ["-c", REPORTER], {
  cwd: kernelFolder,
  stdio: ["ignore", "pipe", "inherit"],
  env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: "1" },
});
const exited = once(child, "exit");
const ran: Ran[] = [];
for await (const line of createInterface({ input: child.stdout })) ran.push(JSON.parse(line));
const [status] = await exited;

test("the kernel's own tests ran to their end", () => {
  assert.equal(status, 0);
  assert.ok(ran.length > 50, `only ${ran.length} ran`);
});

for (const { name, outcome, detail } of ran) {
  test(name, outcome === "skipped" ? { skip: detail } : {}, () => assert.equal(outcome, "ok", detail));
}
