#!/usr/bin/env node
// Runs the command line on a Node that is new enough: this one, or the one that npm installed beside us.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const main = new URL("../dist/cli/main.js", import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  await import(main.href);
} else {
  // The channel tells the child when this process is gone, even by SIGKILL.
  const child = spawn(bundledNode(), [fileURLToPath(main), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // A terminal sends Ctrl-C to both; the child decides what it means.
  process.on("SIGINT", () => {});
  child.on("error", (error) => {
    console.error(`glovebox: cannot start ${bundledNode()}: ${error.message}`);
    process.exitCode = 3;
  });
  child.on("exit", (status, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exitCode = status ?? 1;
  });
}

function bundledNode() {
  const name = `node-linux-${process.arch}/bin/node`;
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    console.error(
      `glovebox needs Node 22.18 or newer, and this is ${process.versions.node}. Install a newer Node, or run "npm install --include=optional" so that ${name} is there.`,
    );
    process.exit(3);
  }
}
