import type { Context } from "hono";
import type { z } from "zod";
import { invalidRequest } from "./invalid-request.ts";
import { shapeFault } from "./json-shape.ts";
import type { ServerEnv } from "./server-parts.ts";
import { WireError } from "./wire-error.ts";

/** The body as JSON that the schema takes; anything else is a WireError that names what is wrong with it. */
export async function readJson<Schema extends z.ZodType>(
  c: Context<ServerEnv>,
  schema: Schema,
  options: { readonly mostBytes: number },
): Promise<z.output<Schema>> {
  const type = c.req.header("content-type") ?? "application/json";
  // A page of another origin can send a form or plain text without being asked; JSON it cannot.
  if (!/^application\/(?:json|[\w.+-]+\+json)\s*(?:;|$)/i.test(type)) {
    throw new WireError({
      status: 415,
      message: `The body's content-type is '${type.slice(0, 100)}'; send 'application/json'.`,
    });
  }
  const text = await readText(c.req.raw, options.mostBytes);
  const read = schema.safeParse(parseJson(text), { reportInput: true });
  if (!read.success) throw invalidRequest(read.error);
  return read.data;
}

export function readQuery<Schema extends z.ZodType>(c: Context<ServerEnv>, schema: Schema): z.output<Schema> {
  const read = schema.safeParse(c.req.query(), { reportInput: true });
  if (!read.success) throw invalidRequest(read.error);
  return read.data;
}

/** Never holds more than the most that is allowed. */
async function readText(request: Request, mostBytes: number): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > mostBytes) throw tooLarge(mostBytes);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.length;
    if (size > mostBytes) throw tooLarge(mostBytes);
    parts.push(part);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch (cause) {
    throw new WireError({ status: 400, message: "The body is not UTF-8.", cause });
  }
}

function parseJson(text: string): unknown {
  if (text.trim() === "") return {};
  const fault = shapeFault(text);
  if (fault !== undefined) {
    throw new WireError({ status: 400, message: `The JSON body of your request is not taken: ${fault}.` });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new WireError({
      status: 400,
      message:
        "We could not parse the JSON body of your request. The server expects a JSON object, with double quotes around names and text.",
      cause,
    });
  }
}

export function tooLarge(mostBytes: number): WireError {
  return new WireError({
    status: 413,
    message: `The request is larger than the ${mostBytes} bytes that this server takes.`,
    code: "request_too_large",
  });
}
