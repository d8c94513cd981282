import { z } from "zod";
import { type FileRecord, filePurposes } from "./file-service.ts";

/** An uploaded file as OpenAI's clients see it. */
export const FileObject = z.object({
  id: z.string(),
  object: z.literal("file"),
  bytes: z.number().int(),
  created_at: z.number().int(),
  expires_at: z.number().int().optional(),
  filename: z.string(),
  purpose: z.enum(filePurposes),
  status: z.literal("processed"),
});
export type FileObject = z.infer<typeof FileObject>;

export function fileObject(record: FileRecord): FileObject {
  return {
    id: record.id,
    object: "file",
    bytes: record.bytes,
    created_at: Math.floor(record.createdMs / 1000),
    ...(record.expiresMs === null ? {} : { expires_at: Math.floor(record.expiresMs / 1000) }),
    filename: record.filename,
    purpose: record.purpose,
    status: "processed",
  };
}
