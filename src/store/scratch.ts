import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pidNamespace, startTime } from "../support/process-identity.ts";

/** Where this process keeps the files of sessions that nobody will ask for again. Its name says whose it is. */
export function scratchFolder(home: string): string {
  return join(home, "scratch", `${machine()}-${process.pid}-${startTime(process.pid)}`);
}

/** Removes what processes left that were killed before they could. */
export async function sweepScratch(home: string): Promise<void> {
  const names = await readdir(join(home, "scratch")).catch(() => []);
  const here = machine();
  await Promise.all(
    names.map(async (name) => {
      const [owner, pid, started] = name.split("-");
      if (owner !== here || startTime(Number(pid)) === started) return;
      await rm(join(home, "scratch", name), { recursive: true, force: true });
    }),
  );
}

function machine(): string {
  return createHash("sha256").update(pidNamespace()).digest("hex").slice(0, 12);
}
