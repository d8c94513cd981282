import { execFile } from "node:child_process";

const PATIENCE_MS = 500;

/** Whether this tmux hands sequences on to the terminal it runs in. */
export async function tmuxPassesThrough(): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(
      "tmux",
      ["show-options", "-Apv", "allow-passthrough"],
      { timeout: PATIENCE_MS },
      (error, stdout) => resolve(!error && /^(?:on|all)$/.test(stdout.trim())),
    );
  });
}

/** tmux does not know how high the picture is, so room is made for it first. */
export function throughTmux(drawing: string, rows: number): string {
  const wrapped = `\x1bPtmux;${drawing.replaceAll("\x1b", "\x1b\x1b")}\x1b\\`;
  return `${"\n".repeat(rows)}\x1b[${rows}A\x1b7${wrapped}\x1b8\x1b[${rows}B`;
}
