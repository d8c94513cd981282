import { appendFile, chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

const MOST_KEPT = 1000;
const MOST_CHARACTERS = 20_000;

/** What was asked before, for the arrow keys: one JSON string a line, for the user's eyes only. */
export class HistoryFile {
  readonly path: string;
  #entries: string[] = [];

  constructor(path: string) {
    this.path = path;
  }

  /** The oldest first. */
  get entries(): readonly string[] {
    return this.#entries;
  }

  async load(): Promise<void> {
    const text = await readFile(this.path, "utf8").catch(() => "");
    const all = text.split("\n").flatMap(readEntry);
    this.#entries = all.slice(-MOST_KEPT);
    if (all.length > 2 * MOST_KEPT) await this.#rewrite().catch(() => {});
    await chmod(this.path, 0o600).catch(() => {});
  }

  /** A history that cannot be written is no reason to stop a conversation. */
  async add(entry: string): Promise<void> {
    if (entry.trim() === "" || entry === this.#entries.at(-1) || entry.length > MOST_CHARACTERS) return;
    this.#entries.push(entry);
    try {
      await mkdir(dirname(this.path), { recursive: true });
      await appendFile(this.path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    } catch {}
  }

  async #rewrite(): Promise<void> {
    const draft = `${this.path}.${process.pid}`;
    await writeFile(draft, this.#entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""), {
      mode: 0o600,
    });
    await rename(draft, this.path);
  }
}

function readEntry(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" && entry.trim() !== "" ? [entry] : [];
  } catch {
    return [];
  }
}
