// look at what was named → copy what needs no choice → let the file agent choose the rest → say what is new
import { basename } from "node:path";
import { GloveboxError } from "../errors.ts";
import type { Model } from "../models/model.ts";
import { OFFLINE } from "../models/model-name.ts";
import type { AgentEvent } from "../protocol/events.ts";
import { noUsage, type Usage } from "../protocol/usage.ts";
import type { HostFile } from "../session/host-files.ts";
import type { HostMount } from "../session/host-mount.ts";
import { delimiterFor } from "../support/delimited-data.ts";
import { cutText } from "../tools/bound-output.ts";
import { HostView } from "../tools/host-files/host-view.ts";
import type { SessionCopies, SessionCopy } from "../tools/host-files/session-copies.ts";
import type { ToolEvent } from "../tools/tool.ts";
import type { AskOptions } from "./agent.ts";
import { FileAccessAgent, type FileAccessAgentParts } from "./file-access-agent.ts";
import { describeCopies } from "./file-context.ts";
import { NamedFiles } from "./named-files.ts";

export interface FileStepParts extends FileAccessAgentParts {
  readonly paths: readonly string[];
  readonly copies: SessionCopies;
}

export interface FileStepOptions extends AskOptions {
  readonly emit: (event: ToolEvent) => void;
}

export interface FileStepResult {
  /** What the other agent has not been told yet. */
  readonly context?: string;
  readonly usage: Usage;
  readonly stopped?: boolean;
}

/** More files than these are a choice. */
const MOST_STRAIGHT = 50;
/** The rest of /mnt/data is for what the cells make. */
const SHARE_FOR_INPUTS = 0.8;
const PAGE_BYTES = 4096;
const MOST_NOTES_CHARACTERS = 4_000;

/** The first step of a question: the files that it needs come into the session. */
export class FileStep {
  readonly #parts: FileStepParts;
  readonly #named: NamedFiles;
  readonly #told = new Map<string, string>();
  readonly #stillThere: (() => boolean)[] = [];
  #model: Model;
  #copyNumber = 0;

  constructor(parts: FileStepParts) {
    this.#parts = parts;
    this.#named = new NamedFiles(parts);
    this.#model = parts.model;
  }

  get needed(): boolean {
    return this.#named.any || this.#parts.mounts.length > 0;
  }

  get title(): string {
    const [first, ...more] = this.#parts.paths;
    if (first === undefined) return "Looking for the files";
    return more.length === 0
      ? `Reading ${basename(first) || first}`
      : `Reading ${more.length + 1} files and folders`;
  }

  useModel(model: Model): void {
    this.#model = model;
  }

  async run(question: string, options: FileStepOptions): Promise<FileStepResult> {
    const chosenFrom = await this.#copyNamed(options);
    if (chosenFrom.length === 0) return { usage: noUsage, ...(await this.#context("", options)) };
    const { context: notes, turn } = await this.#agent(chosenFrom).task(this.#instruction(question), {
      ...(options.signal ? { signal: options.signal } : {}),
      onEvent: (event) => options.onEvent?.(notTheAnswer(event)),
    });
    const { usage, reason } = turn;
    if (reason === "aborted") return { usage, stopped: true };
    if (reason !== "answer") {
      options.emit({ type: "notice", text: `The choice of files ended early (${reason}).` });
    }
    return { usage, ...(await this.#context(notes, options)) };
  }

  /** The context counts as told as long as the conversation has it. */
  told(stillThere: () => boolean): void {
    for (const { path, file } of this.#parts.copies.all) this.#told.set(path, file.stamp);
    this.#stillThere.push(stillThere);
  }

  /** Copies what needs no choice, and gives the mounts that do. */
  async #copyNamed(options: FileStepOptions): Promise<readonly HostMount[]> {
    const { files, inFolders, folders, notices } = await this.#named.select(options.signal);
    for (const text of notices) options.emit({ type: "notice", text });
    const room = this.#parts.session.limits.workBytes;
    if (pagesOf(files) > room) throw tooLarge(files, room);
    for (const file of files) await this.#copy(file, options);
    const { mounts } = this.#parts;
    if (this.#model.provider === OFFLINE) {
      const inMounts = await this.#view(mounts).files(options.signal ? { signal: options.signal } : {});
      await this.#copyWhatFits([...inFolders, ...inMounts], pagesOf(files), options);
      return [];
    }
    const all = [...files, ...inFolders];
    if (inFolders.length > MOST_STRAIGHT || pagesOf(all) > room * SHARE_FOR_INPUTS)
      return [...folders, ...mounts];
    for (const file of inFolders) await this.#copy(file, options);
    return mounts;
  }

  async #copyWhatFits(files: readonly HostFile[], taken: number, options: FileStepOptions): Promise<void> {
    const left: string[] = [];
    let room = this.#parts.session.limits.workBytes * SHARE_FOR_INPUTS - taken;
    for (const file of files) {
      const pages = pagesOf([file]);
      if (pages > room) {
        left.push(file.path);
        continue;
      }
      room -= pages;
      await this.#copy(file, options);
    }
    if (left.length === 0) return;
    const text = `Not copied, since /mnt/data is too small: ${cutText(left.join(", "), 500)}.`;
    options.emit({ type: "notice", text });
  }

  /** Told as the call of the tool that it amounts to. */
  async #copy(file: HostFile, { emit, signal }: FileStepOptions): Promise<void> {
    const { copies } = this.#parts;
    if (copies.holds(file)) return;
    const call = { callId: `copy_${++this.#copyNumber}`, tool: "copy_to_session" };
    emit({ type: "tool-start", ...call, intent: `Copying ${file.path} into the session` });
    try {
      const { outcome, path } = await copies.copy(file, signal ? { signal } : {});
      const output = JSON.stringify({ kind: "object", json: { path, bytes: file.bytes } });
      emit({ type: "tool-end", ...call, success: true, output });
      if (outcome !== "changed") return;
      const text = `${file.path} has changed on the host and was copied again; variables made from it are as they were.`;
      emit({ type: "notice", text });
    } catch (error) {
      const output = JSON.stringify({
        kind: "error",
        name: "ToolFailed",
        message: `${file.path} was not copied.`,
      });
      emit({ type: "tool-end", ...call, success: false, output });
      throw error;
    }
  }

  async #context(notes: string, { signal }: FileStepOptions): Promise<{ context?: string }> {
    if (!this.#stillThere.every((there) => there())) this.#forgetTold();
    const files = await describeCopies(this.#untold(), signal);
    const written =
      notes.trim() === "" ? "" : `Notes of the file agent:\n${cutText(notes, MOST_NOTES_CHARACTERS)}`;
    const context = [files, written].filter((part) => part !== "").join("\n\n");
    return context === "" ? {} : { context };
  }

  #forgetTold(): void {
    this.#told.clear();
    this.#stillThere.length = 0;
  }

  #untold(): SessionCopy[] {
    return this.#parts.copies.all.filter(({ path, file }) => this.#told.get(path) !== file.stamp);
  }

  #instruction(question: string): string {
    const there = this.#parts.copies.all.map(({ path }) => JSON.stringify(path));
    const list = there.length > 0 ? cutText(there.join("\n"), MOST_NOTES_CHARACTERS) : "none";
    const delimiter = delimiterFor(this.#parts.conversation.id);
    return [
      "Files that are in the session already:",
      delimiter.wrap("copied files", list),
      "Copy what this question needs, and write the context for it:",
      question,
    ].join("\n");
  }

  #agent(mounts: readonly HostMount[]): FileAccessAgent {
    return new FileAccessAgent({ ...this.#parts, model: this.#model, mounts });
  }

  #view(mounts: readonly HostMount[]): HostView {
    return new HostView({ mounts, ...(this.#parts.roots ? { roots: this.#parts.roots } : {}) });
  }
}

/** What the file agent writes is for the other agent; people see it as thinking. */
function notTheAnswer(event: AgentEvent): AgentEvent {
  return event.type === "text-delta" ? { ...event, type: "reasoning-delta" } : event;
}

function pagesOf(files: readonly HostFile[]): number {
  return files.reduce((sum, { bytes }) => sum + Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES, 0);
}

function tooLarge(files: readonly HostFile[], room: number): GloveboxError {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const names = cutText(files.map((file) => file.path).join(", "), 200);
  return new GloveboxError(
    "file-too-large",
    `${names}: ${bytes.toLocaleString("en-US")} bytes do not fit into /mnt/data, which holds ${room.toLocaleString("en-US")}; ` +
      "give the session a larger workBytes (--disk), or mount the files instead of copying them.",
  );
}
