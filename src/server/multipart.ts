import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import busboy from "busboy";
import { GloveboxError } from "../errors.ts";
import { WireError } from "./wire-error.ts";

/** A file of a form while it arrives. */
export interface FormFile {
  readonly filename: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The other fields, once all of the form has arrived; they may stand before the file or after it. */
  readonly fields: Promise<Readonly<Record<string, string>>>;
}

const LIMITS = { files: 1, fields: 20, parts: 21, fieldSize: 64 * 1024, fieldNameSize: 200, headerPairs: 20 };

export function isMultipart(request: Request): boolean {
  return /^multipart\/form-data\s*(?:;|$)/i.test(request.headers.get("content-type") ?? "");
}

/** Hands the form's file to `take` while it arrives; what `take` does not read is not read from the client either. */
export async function readForm<T>(request: Request, take: (file: FormFile) => Promise<T>): Promise<T> {
  const form = openForm(request);
  const fields: Record<string, string> = {};
  const whole = Promise.withResolvers<Readonly<Record<string, string>>>();
  whole.promise.catch(() => {});
  let taken: Promise<T> | undefined;
  // What is wrong with it is known from its end.
  form.on("error", nothing);
  form.on("field", (name, value) => {
    fields[name] = value;
  });
  for (const limit of ["partsLimit", "fieldsLimit"] as const)
    form.on(limit, () => form.destroy(badForm(`it has more than ${LIMITS.fields} fields`)));
  form.on("file", (name, stream, { filename }) => {
    stream.on("error", nothing);
    if (name !== "file" || taken) return void stream.resume();
    taken = take({ filename: filename ?? "", bytes: stream, fields: whole.promise });
    // Whoever stops taking, stops the rest of the form.
    taken.catch((error: Error) => form.destroy(error));
  });
  try {
    if (!request.body) throw badForm("it is empty");
    await pipeline(Readable.fromWeb(request.body as ReadableStream), form);
  } catch (error) {
    whole.reject(error);
    throw failureOf(error, await taken?.then(nothing, (reason: unknown) => reason));
  }
  whole.resolve(fields);
  if (!taken) throw missing("file");
  return taken;
}

function openForm(request: Request): busboy.Busboy {
  try {
    const headers = { "content-type": request.headers.get("content-type") ?? "" };
    return busboy({ headers, limits: LIMITS, defParamCharset: "utf8" });
  } catch (cause) {
    throw badForm((cause as Error).message, cause);
  }
}

/** Of what the form broke off with and what its taker said, the one that is told. */
function failureOf(broken: unknown, refused: unknown): unknown {
  if (broken instanceof WireError) return broken;
  const isOurs = refused instanceof GloveboxError || refused instanceof WireError;
  const isDisk = (refused as NodeJS.ErrnoException | undefined)?.syscall !== undefined;
  if (isOurs || isDisk) return refused;
  return badForm(broken instanceof Error ? broken.message : String(broken), broken);
}

function nothing(): undefined {}

function badForm(why: string, cause?: unknown): WireError {
  return new WireError({
    status: 400,
    message: `The body is not a complete multipart form: ${why}.`,
    ...(cause === undefined ? {} : { cause }),
  });
}

export function missing(param: string): WireError {
  return new WireError({
    status: 400,
    message: `Missing required parameter: '${param}'.`,
    param,
    code: "missing_required_parameter",
  });
}
