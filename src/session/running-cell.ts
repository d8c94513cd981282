import { StringDecoder } from "node:string_decoder";
import type { GloveboxError } from "../errors.ts";
import type { CellEvent } from "../protocol/events.ts";
import type { CellResult, Display, MimeBundle, PythonResult } from "../protocol/result.ts";
import type { CellMessage } from "./kernel-link.ts";
import type { FileChanges } from "./mirror.ts";

export interface CellEnd {
  readonly result: PythonResult;
  readonly durationMs: number;
  readonly changes: FileChanges;
}

/** A cell between its start and its end: turns the kernel's messages into events and one outcome. */
export class RunningCell {
  readonly number: number;
  readonly end: Promise<CellEnd>;
  readonly displays: Display[] = [];
  readonly #ended = Promise.withResolvers<CellEnd>();
  readonly #emit: (event: CellEvent) => void;
  #listenerError: { error: unknown } | undefined;
  readonly #text: { stdout?: StringDecoder; stderr?: StringDecoder } = {};

  constructor(number: number, emit: (event: CellEvent) => void) {
    this.number = number;
    this.#emit = (event) => {
      try {
        emit(event);
      } catch (error) {
        // The caller's own listener failed: the caller hears of it, the session is not to blame.
        this.#listenerError ??= { error };
      }
    };
    this.end = this.#ended.promise;
  }

  take(message: CellMessage, payload: Uint8Array): void {
    if (message.cell !== this.number) return;
    if (message.type === "result") {
      this.#ended.resolve({
        result: message.result,
        durationMs: message.duration_ms,
        changes: message.changes,
      });
    } else if (message.type === "display") {
      const display = { data: readBundle(message.parts, payload), ofResult: message.of_result };
      this.displays.push(display);
      this.#emit({ type: "display", cell: this.number, display });
    } else {
      this.#text[message.type] ??= new StringDecoder("utf8");
      const text = this.#text[message.type]?.write(payload as Buffer);
      if (text) this.#emit({ type: `${message.type}-delta`, cell: this.number, text });
    }
  }

  lose(error: GloveboxError): void {
    this.#ended.reject(error);
  }

  /** Tells the listener; what it throws is kept for the caller. */
  emit(event: CellEvent): void {
    this.#emit(event);
  }

  throwListenerError(): void {
    if (this.#listenerError) throw this.#listenerError.error;
  }

  finish(end: CellEnd, extraNotices: readonly (string | undefined)[]): CellResult {
    const result: CellResult = {
      ...end.result,
      cell: this.number,
      duration_ms: end.durationMs,
      ...(this.displays.length > 0 && { displays: this.displays }),
    };
    const notice = [end.result.notice, ...extraNotices].filter(Boolean).join(" ");
    if (notice) result.notice = notice;
    return result;
  }
}

function readBundle(parts: readonly { mime: string; bytes: number }[], payload: Uint8Array): MimeBundle {
  const bundle: Record<string, unknown> = {};
  let start = 0;
  for (const { mime, bytes } of parts) {
    const text = Buffer.from(payload.subarray(start, start + bytes)).toString("utf8");
    bundle[mime] = mime.endsWith("json") ? parseJson(text) : text;
    start += bytes;
  }
  return bundle;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
