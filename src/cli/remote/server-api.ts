import { openAsBlob } from "node:fs";
import { z } from "zod";
import { GloveboxError } from "../../errors.ts";
import { eventData } from "./event-stream.ts";
import type { RemoteServer } from "./remote-flags.ts";
import { failureOf, notOurs, unreachable } from "./server-failure.ts";

const id = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);
const Container = z.looseObject({ id });
const ContainerFile = z.looseObject({
  id,
  path: z.string(),
  bytes: z.number().int().nonnegative().nullish(),
  source: z.string(),
});
export type ContainerFile = z.infer<typeof ContainerFile>;
const FilePage = z.looseObject({ data: z.array(ContainerFile), has_more: z.boolean() });

const PAGE = 100;
const MOST_FILES = 10_000;

/** The calls of OpenAI's API that a question needs. */
export class ServerApi {
  readonly url: string;
  readonly #apiKey: string | undefined;

  constructor({ url, apiKey }: RemoteServer) {
    this.url = url;
    this.#apiKey = apiKey;
  }

  async createContainer(wanted: object, signal: AbortSignal): Promise<string> {
    return (await this.#json(Container, "/containers", signal, wanted)).id;
  }

  async findContainer(container: string, signal: AbortSignal): Promise<string> {
    return (await this.#json(Container, `/containers/${encodeURIComponent(container)}`, signal)).id;
  }

  async removeContainer(container: string, signal: AbortSignal): Promise<void> {
    const response = await this.#send(`/containers/${container}`, { method: "DELETE", signal });
    await response.body?.cancel();
  }

  async upload(container: string, file: { path: string; name: string }, signal: AbortSignal): Promise<void> {
    const form = new FormData();
    form.append("file", await openAsBlob(file.path), file.name);
    await this.#json(ContainerFile, `/containers/${container}/files`, signal, form);
  }

  async files(container: string, signal: AbortSignal): Promise<ContainerFile[]> {
    const all: ContainerFile[] = [];
    for (let after = ""; all.length < MOST_FILES; ) {
      const query = `?limit=${PAGE}&order=asc${after === "" ? "" : `&after=${after}`}`;
      const { data, has_more } = await this.#json(FilePage, `/containers/${container}/files${query}`, signal);
      all.push(...data);
      after = data.at(-1)?.id ?? "";
      if (!has_more || after === "") break;
    }
    return all;
  }

  async download(container: string, file: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const response = await this.#send(`/containers/${container}/files/${file}/content`, { signal });
    return this.#watched(response.body ?? new ReadableStream(), signal);
  }

  /** The events of a response; what a Glovebox's cells print and come to is among them. */
  async *respond(request: object, signal: AbortSignal): AsyncGenerator<unknown> {
    const response = await this.#send("/responses", {
      method: "POST",
      headers: { "x-glovebox-stream": "stdout, result", accept: "text/event-stream" },
      body: { ...request, stream: true },
      signal,
    });
    const kind = response.headers.get("content-type") ?? "";
    if (!kind.startsWith("text/event-stream") || !response.body) {
      await response.body?.cancel();
      throw notOurs(this.url, "it does not stream its answer");
    }
    for await (const data of eventData(this.#watched(response.body, signal))) {
      if (data === "[DONE]") return;
      yield this.#parsed(data);
    }
  }

  async #json<T>(
    schema: z.ZodType<T>,
    path: string,
    signal: AbortSignal,
    body?: object | FormData,
  ): Promise<T> {
    const response = await this.#send(path, { ...(body ? { method: "POST", body } : {}), signal });
    const text = await response.text().catch((cause) => {
      throw this.#broken(cause, signal);
    });
    const read = schema.safeParse(this.#parsed(text));
    if (!read.success) throw notOurs(this.url, `its answer to ${path.replace(/\?.*/, "")} has another form`);
    return read.data;
  }

  #parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw notOurs(this.url, "it does not answer with JSON");
    }
  }

  async #send(
    path: string,
    request: { method?: string; headers?: Record<string, string>; body?: object; signal: AbortSignal },
  ): Promise<Response> {
    const { method = "GET", headers = {}, body, signal } = request;
    const isForm = body instanceof FormData;
    let response: Response;
    try {
      response = await fetch(`${this.url}/v1${path}`, {
        method,
        headers: {
          ...headers,
          ...(this.#apiKey === undefined ? {} : { authorization: `Bearer ${this.#apiKey}` }),
          ...(body && !isForm ? { "content-type": "application/json" } : {}),
        },
        ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
        redirect: "manual",
        signal,
      });
    } catch (cause) {
      throw this.#broken(cause, signal);
    }
    if (response.ok) return response;
    throw await failureOf(response, this.url, this.#apiKey !== undefined);
  }

  async *#watched(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (cause) {
      throw this.#broken(cause, signal);
    }
  }

  #broken(cause: unknown, signal: AbortSignal): GloveboxError {
    return signal.aborted ? new GloveboxError("aborted", "Stopped.") : unreachable(this.url, cause);
  }
}
