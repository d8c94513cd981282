import { openAsBlob } from "node:fs";
import type { Uploadable } from "openai";
import { z } from "zod";
import { GloveboxError } from "../../errors.ts";
import { clientOf, type ProviderOptions, requestOptions } from "./client.ts";
import { ProviderId } from "./container-config.ts";
import { checked } from "./containers.ts";
import { asking } from "./refusal.ts";
import { fileBytes, uploadName } from "./supported-files.ts";

export interface UploadedFile {
  readonly fileId: string;
  readonly name: string;
  readonly bytes: number;
}

export interface ContainerFile {
  readonly fileId: string;
  readonly containerId: string;
  /** Where the model's code finds it. */
  readonly path: string;
}

const WireFile = z.object({ id: z.string().min(1) });
const WireContainerFile = z.object({ id: z.string().min(1), path: z.string().min(1) });

/** Uploads a file of the host, for the `file_ids` of any container. */
export async function uploadFile(path: string, options: ProviderOptions = {}): Promise<UploadedFile> {
  const bytes = await fileBytes(path);
  const name = uploadName({ path, bytes });
  const client = await clientOf(options);
  const file = await fileFrom(path, name);
  const answer = await asking({ what: `"${path}" was not uploaded`, signal: options.signal }, () =>
    client.files.create({ file, purpose: "user_data" }, requestOptions(options)),
  );
  return { fileId: read(WireFile, answer).id, name, bytes };
}

/** Uploads a file of the host into one container. */
export async function uploadIntoContainer(
  path: string,
  containerId: string,
  options: ProviderOptions = {},
): Promise<ContainerFile> {
  const name = uploadName({ path, bytes: await fileBytes(path) });
  return sendIntoContainer(containerId, { file: await fileFrom(path, name) }, `"${path}"`, options);
}

/** Puts a file that was uploaded before into a container. */
export async function attachFile(
  fileId: string,
  containerId: string,
  options: ProviderOptions = {},
): Promise<ContainerFile> {
  const file_id = checked(ProviderId, fileId, "The file's id");
  return sendIntoContainer(containerId, { file_id }, `The file ${file_id}`, options);
}

export async function sendIntoContainer(
  containerId: string,
  body: { readonly file: Uploadable } | { readonly file_id: string },
  what: string,
  options: ProviderOptions,
): Promise<ContainerFile> {
  const id = checked(ProviderId, containerId, "The container's id");
  const client = await clientOf(options);
  const answer = await asking(
    { what: `${what} did not get into the container ${id}`, containerId: id, signal: options.signal },
    () => client.containers.files.create(id, body, requestOptions(options)),
  );
  const file = read(WireContainerFile, answer);
  return { fileId: file.id, containerId: id, path: file.path };
}

/** Read from the disk while it is sent. */
async function fileFrom(path: string, name: string): Promise<File> {
  return new File([await openAsBlob(path)], name);
}

function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new GloveboxError(
    "model-protocol",
    "OpenAI's answer to an upload is not a file; check that OPENAI_BASE_URL has the files API.",
    { cause: parsed.error },
  );
}
