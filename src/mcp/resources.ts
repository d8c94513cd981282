import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { GloveboxError } from "../errors.ts";
import { WORK_FOLDER } from "../session/file-names.ts";
import type { Desk } from "./desk.ts";
import type { HeldSession } from "./held-session.ts";
import { mediaType } from "./media-types.ts";
import { readBounded } from "./read-bounded.ts";
import { FILE_TEMPLATE, fileUri, readFileUri } from "./resource-uri.ts";
import { wordsOf } from "./told-error.ts";

/** The largest file that is read as a resource. */
export const MOST_RESOURCE_BYTES: number = 4 << 20;
const MOST_LISTED = 200;

export const resourceTemplates: readonly ResourceTemplateType[] = [
  {
    name: "session-file",
    title: "A file of a session",
    uriTemplate: FILE_TEMPLATE,
    description: `A file below ${WORK_FOLDER}: text as text, anything else as base64; at most 4 MiB.`,
  },
];

/** The files of the sessions that this client has worked in, page by page. A page begins after the address in its cursor. */
export async function listResources(desk: Desk, cursor: string | undefined): Promise<ListResourcesResult> {
  const filled = desk.held().filter((held) => held.filled);
  const found = (await Promise.all(filled.map(filesOf))).flat();
  const sorted = found.sort((a, b) => (a.uri < b.uri ? -1 : 1));
  const rest = cursor === undefined ? sorted : sorted.filter(({ uri }) => uri > cursor);
  const resources = rest.slice(0, MOST_LISTED);
  const last = rest.length > resources.length ? resources.at(-1) : undefined;
  return { resources, ...(last ? { nextCursor: last.uri } : {}) };
}

async function filesOf(held: HeldSession): Promise<Resource[]> {
  const files = await held.use(({ session }) => session.files.list());
  return files.map(({ path, bytes, modified_ms }) => ({
    uri: fileUri(held.name, path),
    name: path.slice(WORK_FOLDER.length + 1),
    mimeType: mediaType(path),
    size: bytes,
    annotations: { lastModified: new Date(modified_ms).toISOString() },
  }));
}

export async function readResource(desk: Desk, uri: string): Promise<ReadResourceResult> {
  const address = readFileUri(uri);
  if (!address) throw new ResourceNotFoundError(uri);
  try {
    const bytes = await desk
      .hold(address.session)
      .use(({ session }) => readBounded(session, address.path, MOST_RESOURCE_BYTES));
    const mimeType = mediaType(address.path);
    const text = asText(bytes);
    const content = text === undefined ? { blob: bytes.toString("base64") } : { text };
    return { contents: [{ uri, mimeType: text === undefined ? mimeType : textType(mimeType), ...content }] };
  } catch (error) {
    throw refusal(uri, error);
  }
}

function refusal(uri: string, error: unknown): unknown {
  const words = wordsOf(error);
  if (words === undefined) return error;
  const missing = error instanceof GloveboxError && ["file-missing", "session-closed"].includes(error.code);
  return missing
    ? new ResourceNotFoundError(uri, words)
    : new ProtocolError(ProtocolErrorCode.InvalidParams, words);
}

function asText(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A file without a known ending that reads as text is text. */
function textType(mimeType: string): string {
  return mimeType === "application/octet-stream" ? "text/plain" : mimeType;
}
