import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { GloveboxError } from "../errors.ts";
import { isBusy, storeError } from "./store-error.ts";

/** Held by one server at a time. It is let go with the process, however that ends. */
export async function lockHome(home: string): Promise<Disposable> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const path = join(home, "server.lock");
  const { DatabaseSync } = await import("node:sqlite");
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    file.close();
    if (!isBusy(error)) throw storeError(path, error);
    throw new GloveboxError(
      "usage",
      `Another server works with ${home}; use that one, end it, or set GLOVEBOX_HOME to another folder.`,
      { cause: error },
    );
  }
  return { [Symbol.dispose]: () => file.isOpen && file.close() };
}
