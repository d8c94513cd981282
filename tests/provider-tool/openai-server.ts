import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import { OpenAI } from "openai";
import { refusal } from "./recorded.ts";

export interface SeenRequest {
  readonly line: string;
  /** JSON as it came; of a form its fields, a file as name, size and text. */
  readonly body?: unknown;
}

type Answer = { readonly status?: number; readonly body: unknown; readonly headers?: Record<string, string> };

interface StoredContainer {
  readonly name: string;
  readonly memory: string;
  status: string;
  readonly files: Map<string, { readonly path: string; readonly bytes: Buffer }>;
}

/** A server on loopback that speaks as much of OpenAI's API as the provider tool uses. */
export class OpenAIServer {
  readonly requests: SeenRequest[] = [];
  readonly containers = new Map<string, StoredContainer>();
  baseURL = "";
  /** Sees every request before it is answered. */
  onRequest: (line: string) => Promise<void> = async () => {};
  #answers: Answer[] = [];
  #made = 0;

  /** The official client, without retries. */
  client(): OpenAI {
    return new OpenAI({ apiKey: "sk-test", baseURL: this.baseURL, maxRetries: 0 });
  }

  /** What the next request to /responses is answered with. */
  answerWith(body: unknown, more: Omit<Answer, "body"> = {}): void {
    this.#answers.push({ body, ...more });
  }

  addContainer(id: string, container: { memory?: string; status?: string } = {}): void {
    this.containers.set(id, {
      name: id,
      memory: container.memory ?? "1g",
      status: container.status ?? "running",
      files: new Map(),
    });
  }

  addFile(container: string, id: string, bytes: Buffer): void {
    this.containers.get(container)?.files.set(id, { path: `/mnt/data/${id}`, bytes });
  }

  get lines(): string[] {
    return this.requests.map(({ line }) => line);
  }

  /** The bodies sent to one path. */
  bodies(line: string): unknown[] {
    return this.requests.filter((request) => request.line === line).map(({ body }) => body);
  }

  async handle(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://server");
    const path = url.pathname.replace(/^\/v1/, "");
    const body = await readBody(request);
    const line = `${request.method} ${path}${url.search}`;
    this.requests.push({ line, ...(body === undefined ? {} : { body }) });
    await this.onRequest(line);
    const parts = path.split("/").slice(1).map(decodeURIComponent);
    const answer = this.#answer(
      request.method ?? "",
      parts,
      body as Record<string, unknown>,
      url.searchParams,
    );
    const raw = Buffer.isBuffer(answer.body);
    reply.writeHead(answer.status ?? 200, {
      "content-type": raw ? "application/octet-stream" : "application/json",
      "x-request-id": `req_${this.requests.length}`,
      ...answer.headers,
    });
    reply.end(raw ? answer.body : JSON.stringify(answer.body));
  }

  #answer(method: string, parts: string[], body: Record<string, unknown>, query: URLSearchParams): Answer {
    const [kind, id, files, fileId, content] = parts;
    if (kind === "responses") return this.#respond(body);
    if (kind === "files")
      return { body: { id: `file-${++this.#made}`, object: "file", ...(body.file as object) } };
    if (kind !== "containers") return { status: 404, body: refusal("Unknown request URL.") };
    if (id === undefined) return method === "POST" ? this.#makeContainer(body) : this.#listContainers(query);
    const container = this.containers.get(id);
    if (!container) return { status: 404, body: refusal("Container not found") };
    if (files === undefined) {
      if (method === "GET") return { body: wireContainer(id, container) };
      this.containers.delete(id);
      return { body: { id, object: "container.deleted", deleted: true } };
    }
    if (container.status === "expired") return { status: 400, body: refusal("Container is expired.") };
    if (fileId === undefined) return this.#addContainerFile(id, container, body);
    const file = container.files.get(fileId);
    if (!file || content === undefined)
      return { status: 404, body: refusal(`No file ${fileId} in this container`) };
    return { body: file.bytes };
  }

  #respond(body: Record<string, unknown>): Answer {
    const [declared] = body.tools as [{ container: unknown }];
    if (typeof declared.container === "string") {
      const container = this.containers.get(declared.container);
      if (container?.status !== "running") return { status: 400, body: refusal("Container is expired.") };
    }
    const next = this.#answers.shift();
    return (
      next ?? { status: 500, body: refusal("The test has no answer for this request."), headers: noRetry }
    );
  }

  #makeContainer(body: Record<string, unknown>): Answer {
    const id = `cntr_made_${++this.#made}`;
    this.addContainer(id, { memory: String(body.memory_limit) });
    return { body: wireContainer(id, this.containers.get(id) as StoredContainer) };
  }

  #listContainers(query: URLSearchParams): Answer {
    const all = [...this.containers].map(([id, container]) => wireContainer(id, container));
    const start = query.has("after") ? all.findIndex(({ id }) => id === query.get("after")) + 1 : 0;
    const limit = Math.min(Number(query.get("limit") ?? 20), 2);
    const data = all.slice(start, start + limit);
    const more = start + limit < all.length;
    return {
      body: {
        object: "list",
        data,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
        has_more: more,
      },
    };
  }

  #addContainerFile(id: string, container: StoredContainer, body: Record<string, unknown>): Answer {
    const fileId = `cfile_${++this.#made}`;
    const given = body.file as { name: string; text: string } | undefined;
    const path = `/mnt/data/${"0123456789abcdef".repeat(2)}-${given?.name ?? String(body.file_id)}`;
    const bytes = Buffer.from(given?.text ?? "");
    container.files.set(fileId, { path, bytes });
    const created = { id: fileId, object: "container.file", container_id: id, created_at: 1762304497 };
    return { body: { ...created, bytes: bytes.length, path, source: "user" } };
  }
}

const noRetry = { "x-should-retry": "false" };

function wireContainer(id: string, { name, memory, status }: StoredContainer) {
  return {
    id,
    object: "container",
    created_at: 1762304490,
    status,
    expires_after: { anchor: "last_active_at", minutes: 20 },
    last_active_at: 1762304497,
    memory_limit: memory,
    name,
    network_policy: { type: "disabled" },
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const type = request.headers["content-type"] ?? "";
  if (bytes.length === 0) return undefined;
  if (type.startsWith("application/json")) return JSON.parse(bytes.toString("utf8"));
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData();
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form) {
    fields[name] =
      typeof value === "string" ? value : { name: value.name, bytes: value.size, text: await value.text() };
  }
  return fields;
}

/** A server that ends with the test file. */
export async function startOpenAIServer(): Promise<OpenAIServer> {
  const server = new OpenAIServer();
  const http = createServer((request, reply) => {
    server.handle(request, reply).catch((error: unknown) => reply.destroy(error as Error));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  server.baseURL = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`;
  after(() => {
    http.closeAllConnections();
    http.close();
  });
  return server;
}
