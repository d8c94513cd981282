import { Hono } from "hono";
import { z } from "zod";
import {
  ContainerFileObject,
  ContainerObject,
  containerFileObject,
  containerObject,
} from "../containers/container-object.ts";
import { type ContainerRecord, memoryTiers } from "../containers/container-service.ts";
import { isMultipart, missing, readForm } from "../multipart.ts";
import { listObject, listSchema, pageQuery } from "../pagination.ts";
import { readJson, readQuery } from "../request-body.ts";
import type { RouteDoc } from "../route-doc.ts";
import { sendFile } from "../send-file.ts";
import type { ServerEnv, ServerParts } from "../server-parts.ts";
import { unsupported } from "../wire-error.ts";

const MOST_FILES = 50;
const MOST_MINUTES = 1440;

/** What a request may say of a container's network. There is none, so that only its absence can be asked for. */
export const NetworkPolicy = z.looseObject({ type: z.enum(["disabled", "allowlist"]) });

const NewContainer = z.object({
  name: z.string().min(1).max(256),
  memory_limit: z.enum(memoryTiers).nullish(),
  expires_after: z
    .object({ anchor: z.literal("last_active_at"), minutes: z.number().int().min(1).max(MOST_MINUTES) })
    .nullish(),
  file_ids: z.array(z.string().min(1).max(256)).max(MOST_FILES).nullish(),
  network_policy: NetworkPolicy.nullish(),
  skills: z.array(z.unknown()).nullish(),
});
const NewFile = z.object({ file_id: z.string().min(1).max(256) });
const Page = pageQuery({ most: 100, usual: 20 });
const ContainersPage = Page.extend({ name: z.string().max(256).optional() });
const Deleted = z.object({
  id: z.string(),
  object: z.literal("container.deleted"),
  deleted: z.literal(true),
});
const FileDeleted = Deleted.extend({ object: z.literal("container.file.deleted") });

export function containersRoutes(parts: ServerParts): Hono<ServerEnv> {
  const { containers, config, metrics } = parts;
  const body = { mostBytes: config.limits.requestBytes };
  const app = new Hono<ServerEnv>();

  app.post("/containers", async (c) => {
    const wanted = await readJson(c, NewContainer, body);
    refuseUnsupported(wanted);
    const record = await containers.create(c.var.owner, {
      name: wanted.name,
      ...(wanted.memory_limit ? { memoryLimit: wanted.memory_limit } : {}),
      ...(wanted.file_ids ? { fileIds: wanted.file_ids } : {}),
      ...(wanted.expires_after ? { expiresAfterMinutes: wanted.expires_after.minutes } : {}),
    });
    return c.json(containerObject(record));
  });

  app.get("/containers", async (c) => {
    const { name, after, ...page } = readQuery(c, ContainersPage);
    const found = await containers.list(c.var.owner, {
      ...page,
      ...(name === undefined ? {} : { name }),
      ...(after === undefined ? {} : { after }),
    });
    const data = found.data.map((record: ContainerRecord) => containerObject(record));
    return c.json(listObject({ ...found, data }));
  });

  app.get("/containers/:id", async (c) => {
    return c.json(containerObject(await containers.get(c.var.owner, c.req.param("id"), { touch: true })));
  });

  app.delete("/containers/:id", async (c) => {
    const id = c.req.param("id");
    await containers.remove(c.var.owner, id);
    return c.json({ id, object: "container.deleted", deleted: true } satisfies z.infer<typeof Deleted>);
  });

  app.post("/containers/:id/files", async (c) => {
    const id = c.req.param("id");
    if (!isMultipart(c.req.raw)) {
      const { file_id } = await readJson(c, NewFile, body);
      return c.json(containerFileObject(await containers.addFile(c.var.owner, id, { fileId: file_id })));
    }
    const record = await readForm(c.req.raw, async ({ filename, bytes }) => {
      if (filename.trim() === "") throw missing("file");
      return containers.addFile(c.var.owner, id, { name: filename, bytes });
    });
    metrics.bytes("in", record.bytes);
    return c.json(containerFileObject(record));
  });

  app.get("/containers/:id/files", async (c) => {
    const { after, ...page } = readQuery(c, Page);
    const found = await containers.listFiles(c.var.owner, c.req.param("id"), {
      ...page,
      ...(after === undefined ? {} : { after }),
    });
    return c.json(listObject({ ...found, data: found.data.map(containerFileObject) }));
  });

  app.get("/containers/:id/files/:file", async (c) => {
    const { id, file } = c.req.param();
    return c.json(containerFileObject(await containers.getFile(c.var.owner, id, file)));
  });

  app.delete("/containers/:id/files/:file", async (c) => {
    const { id, file } = c.req.param();
    await containers.removeFile(c.var.owner, id, file);
    const gone: z.infer<typeof FileDeleted> = { id: file, object: "container.file.deleted", deleted: true };
    return c.json(gone);
  });

  app.get("/containers/:id/files/:file/content", async (c) => {
    const { id, file } = c.req.param();
    const { record, bytes } = await containers.readFile(c.var.owner, id, file);
    metrics.bytes("out", record.bytes);
    return sendFile(c, { filename: record.path.split("/").at(-1) ?? "", size: record.bytes, bytes });
  });

  return app;
}

/** What we do not offer is refused by its name, so that nobody takes it for given. */
function refuseUnsupported({ network_policy, skills }: z.infer<typeof NewContainer>): void {
  if (network_policy?.type === "allowlist") {
    throw unsupported(
      "network_policy",
      "network_policy 'allowlist' is not supported: containers have no network. Leave it out, or send 'disabled'.",
    );
  }
  if (skills && skills.length > 0) {
    throw unsupported("skills", "'skills' are not supported; upload what they hold as files.");
  }
}

export const containersDocs: readonly RouteDoc[] = [
  {
    method: "post",
    path: "/v1/containers",
    summary: "Make a container",
    json: NewContainer,
    answer: ContainerObject,
  },
  {
    method: "get",
    path: "/v1/containers",
    summary: "List containers",
    query: ContainersPage,
    answer: listSchema(ContainerObject),
  },
  {
    method: "get",
    path: "/v1/containers/{container_id}",
    summary: "What is known of a container",
    answer: ContainerObject,
  },
  {
    method: "delete",
    path: "/v1/containers/{container_id}",
    summary: "Delete a container and its files",
    answer: Deleted,
  },
  {
    method: "post",
    path: "/v1/containers/{container_id}/files",
    summary: "Put a file into a container",
    json: NewFile,
    form: z.object({ file: z.string() }),
    answer: ContainerFileObject,
  },
  {
    method: "get",
    path: "/v1/containers/{container_id}/files",
    summary: "List the files of a container",
    query: Page,
    answer: listSchema(ContainerFileObject),
  },
  {
    method: "get",
    path: "/v1/containers/{container_id}/files/{file_id}",
    summary: "What is known of a container's file",
    answer: ContainerFileObject,
  },
  {
    method: "delete",
    path: "/v1/containers/{container_id}/files/{file_id}",
    summary: "Delete a container's file",
    answer: FileDeleted,
  },
  {
    method: "get",
    path: "/v1/containers/{container_id}/files/{file_id}/content",
    summary: "The content of a container's file",
    answer: { type: "application/octet-stream" },
  },
];
