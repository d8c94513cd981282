import { Hono } from "hono";
import { z } from "zod";
import { checkFileName } from "../files/file-name.ts";
import { FileObject, fileObject } from "../files/file-object.ts";
import { filePurposes } from "../files/file-service.ts";
import { invalidRequest } from "../invalid-request.ts";
import { isMultipart, readForm } from "../multipart.ts";
import { listObject, listSchema, pageQuery } from "../pagination.ts";
import { readQuery } from "../request-body.ts";
import type { RouteDoc } from "../route-doc.ts";
import { sendFile } from "../send-file.ts";
import type { ServerEnv, ServerParts } from "../server-parts.ts";
import { WireError } from "../wire-error.ts";

const HOUR_SECONDS = 3600;
const MONTH_SECONDS = 2_592_000;

const Form = z.object({
  purpose: z.enum(filePurposes),
  expires_after: z
    .object({
      anchor: z.literal("created_at"),
      seconds: z.coerce.number().int().min(HOUR_SECONDS).max(MONTH_SECONDS),
    })
    .optional(),
});
const Query = pageQuery({ most: 10_000, usual: 10_000 }).extend({ purpose: z.string().max(64).optional() });
const Deleted = z.object({ id: z.string(), object: z.literal("file"), deleted: z.literal(true) });

export function filesRoutes(parts: ServerParts): Hono<ServerEnv> {
  const { files, metrics } = parts;
  const app = new Hono<ServerEnv>();

  app.post("/files", async (c) => {
    if (!isMultipart(c.req.raw)) {
      throw new WireError({ status: 415, message: "Send the file as 'multipart/form-data'." });
    }
    const record = await readForm(c.req.raw, async ({ filename, bytes, fields }) => {
      const name = filename.trim() || "upload";
      checkFileName(name);
      return files.receive(c.var.owner, bytes, async () => {
        const { purpose, expires_after } = readFields(await fields);
        return {
          filename: name,
          purpose,
          ...(expires_after ? { expiresAfterSeconds: expires_after.seconds } : {}),
        };
      });
    });
    metrics.bytes("in", record.bytes);
    return c.json(fileObject(record));
  });

  app.get("/files", async (c) => {
    const { purpose, after, ...page } = readQuery(c, Query);
    const found = await files.list(c.var.owner, {
      ...page,
      ...(purpose === undefined ? {} : { purpose }),
      ...(after === undefined ? {} : { after }),
    });
    return c.json(listObject({ ...found, data: found.data.map(fileObject) }));
  });

  app.get("/files/:id", async (c) => c.json(fileObject(await files.get(c.var.owner, c.req.param("id")))));

  app.delete("/files/:id", async (c) => {
    const id = c.req.param("id");
    await files.remove(c.var.owner, id);
    return c.json({ id, object: "file", deleted: true } satisfies z.infer<typeof Deleted>);
  });

  app.get("/files/:id/content", async (c) => {
    const { record, bytes } = await files.read(c.var.owner, c.req.param("id"));
    metrics.bytes("out", record.bytes);
    return sendFile(c, { filename: record.filename, size: record.bytes, bytes });
  });

  return app;
}

/** Objects in a form come as `expires_after[seconds]`. */
function readFields(fields: Readonly<Record<string, string>>): z.infer<typeof Form> {
  const nested = Object.entries(fields).flatMap(([name, value]) => {
    const inner = /^expires_after\[(\w+)\]$/.exec(name)?.[1];
    return inner === undefined ? [] : [[inner, value] as const];
  });
  const read = Form.safeParse(
    { purpose: fields.purpose, ...(nested.length > 0 ? { expires_after: Object.fromEntries(nested) } : {}) },
    { reportInput: true },
  );
  if (!read.success) throw invalidRequest(read.error);
  return read.data;
}

export const filesDocs: readonly RouteDoc[] = [
  {
    method: "post",
    path: "/v1/files",
    summary: "Upload a file",
    form: Form.extend({ file: z.string() }),
    answer: FileObject,
  },
  { method: "get", path: "/v1/files", summary: "List files", query: Query, answer: listSchema(FileObject) },
  { method: "get", path: "/v1/files/{file_id}", summary: "What is known of a file", answer: FileObject },
  { method: "delete", path: "/v1/files/{file_id}", summary: "Delete a file", answer: Deleted },
  {
    method: "get",
    path: "/v1/files/{file_id}/content",
    summary: "The content of a file",
    answer: { type: "application/octet-stream" },
  },
];
