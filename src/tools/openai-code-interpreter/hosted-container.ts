// choose the host's files → check every one → make the container → copy them in, one by one
import { GloveboxError } from "../../errors.ts";
import { type HostFile, openHostFile, selectHostFiles } from "../../session/host-files.ts";
import type { HostMount } from "../../session/host-mount.ts";
import { clientOf, type ProviderOptions } from "./client.ts";
import type { AutoContainerConfig, ExistingContainerRef, MemoryTier } from "./container-config.ts";
import { type Container, createContainer, deleteContainer, liveContainer } from "./containers.ts";
import { uploadName } from "./supported-files.ts";
import type { OpenAICodeInterpreterTool } from "./tool.ts";
import { sendIntoContainer } from "./uploads.ts";

/** A file of the host, and where its copy is. */
export interface ProjectedFile {
  /** As the mount names it. */
  readonly path: string;
  /** As OpenAI names it; the container has no folders of ours. */
  readonly containerPath: string;
  readonly fileId: string;
  readonly bytes: number;
}

export interface HostedContainer {
  readonly id: string;
  readonly memoryTier: MemoryTier;
  readonly files: readonly ProjectedFile[];
  /** The tool on this container. */
  readonly tool: OpenAICodeInterpreterTool;
}

export interface HostFolders {
  /** Folders that host paths must be below; without them, whatever the program names is allowed. */
  readonly roots?: readonly string[];
}

export interface OpenContainerOptions extends ProviderOptions, HostFolders {
  readonly name?: string;
}

/** Makes the tool's container and copies its host mounts into it, or sees that the one it names still lives. */
export async function openHostedContainer(
  tool: OpenAICodeInterpreterTool,
  options: OpenContainerOptions = {},
): Promise<HostedContainer> {
  const { container } = tool;
  if (!("type" in container)) return existing(tool, container, options);
  const files = await chooseFiles(container.host_mounts ?? [], options);
  const asked = { ...options, client: await clientOf(options) };
  const made = await make(container, asked);
  try {
    const projected = await copyInto(made.id, files, asked);
    const memoryTier = made.memoryTier ?? container.memory_limit;
    const bound = tool.withContainer({ id: made.id, memory_limit: memoryTier });
    return { id: made.id, memoryTier, files: projected, tool: bound };
  } catch (error) {
    await deleteContainer(made.id, { client: asked.client }).catch(() => {});
    throw error;
  }
}

/** Copies the files that mounts select into a container that exists. */
export async function projectHostMounts(
  containerId: string,
  mounts: readonly HostMount[],
  options: ProviderOptions & HostFolders = {},
): Promise<ProjectedFile[]> {
  const files = await chooseFiles(mounts, options);
  return copyInto(containerId, files, { ...options, client: await clientOf(options) });
}

/** For the model: where the files of its question are. Names are data of the host's, so they are quoted. */
export function projectedFilesInWords(files: readonly ProjectedFile[]): string {
  if (files.length === 0) return "";
  const lines = files.map(
    ({ path, containerPath }) => `${JSON.stringify(path)}: ${JSON.stringify(containerPath)}`,
  );
  return `Files in the container, each by the name people use and then by the path that code opens:\n${lines.join("\n")}`;
}

async function existing(
  tool: OpenAICodeInterpreterTool,
  wanted: ExistingContainerRef,
  options: ProviderOptions,
): Promise<HostedContainer> {
  const found = await liveContainer(wanted.id, options);
  const memoryTier = found.memoryTier ?? wanted.memory_limit ?? "1g";
  if (wanted.memory_limit && wanted.memory_limit !== memoryTier) {
    throw new GloveboxError(
      "provider-tool",
      `The container ${found.id} has ${memoryTier} of memory, not ${wanted.memory_limit}; leave memory_limit out or make a container of that size.`,
    );
  }
  return { id: found.id, memoryTier, files: [], tool };
}

function make(container: AutoContainerConfig, options: OpenContainerOptions): Promise<Container> {
  const { name, ...asked } = options;
  return createContainer({
    ...asked,
    ...(name === undefined ? {} : { name }),
    memoryLimit: container.memory_limit,
    ...(container.file_ids ? { fileIds: container.file_ids } : {}),
  });
}

async function chooseFiles(
  mounts: readonly HostMount[],
  options: ProviderOptions & HostFolders,
): Promise<HostFile[]> {
  const { roots, signal } = options;
  const chosen: HostFile[] = [];
  for (const mount of mounts) {
    const files = await selectHostFiles(mount, {
      ...(roots ? { roots } : {}),
      ...(signal ? { signal } : {}),
    });
    if (files.length === 0) {
      throw new GloveboxError(
        "file-missing",
        `"${mount.hostPath}" has no file for the container; widen its globs.`,
      );
    }
    for (const file of files) uploadName(file);
    chosen.push(...files);
  }
  return chosen;
}

async function copyInto(
  containerId: string,
  files: readonly HostFile[],
  options: ProviderOptions,
): Promise<ProjectedFile[]> {
  const projected: ProjectedFile[] = [];
  if (files.length === 0) return projected;
  const { toStreamingFile } = await import("openai");
  for (const host of files) {
    // Begun anew for every attempt of the client's.
    const parts = { [Symbol.asyncIterator]: () => openHostFile(host, options) };
    const file = toStreamingFile(parts as AsyncIterable<Uint8Array<ArrayBuffer>>, uploadName(host));
    const sent = await sendIntoContainer(containerId, { file }, `"${host.path}"`, options);
    projected.push({ path: host.path, containerPath: sent.path, fileId: sent.fileId, bytes: host.bytes });
  }
  return projected;
}
