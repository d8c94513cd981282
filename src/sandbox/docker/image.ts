import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { ReportProgress } from "../environment/environment.ts";
import { progressOf } from "./build-progress.ts";
import { Engine, type EngineOptions } from "./engine.ts";

export interface ImageSource {
  readonly kernelFolder: string;
  readonly lockFile: string;
  readonly dockerfile: string;
  /** A Python image to build on instead of the Dockerfile's own. */
  readonly base?: string;
}

export interface BuildImageOptions extends ImageSource {
  readonly engine?: EngineOptions;
  readonly onProgress?: ReportProgress;
  readonly signal?: AbortSignal;
}

const REPOSITORY = "glovebox-kernel";
const BUILD_MS = 60 * 60_000;
// An index of the user's own is a setting of the build, not of the image.
const PASSED_ON = ["PIP_INDEX_URL"];

/** Named for what is in it: another kernel, lock or base is another image. */
export async function imageTag(source: ImageSource): Promise<string> {
  const hash = createHash("sha256").update(source.base ?? "");
  const parts: Record<string, string> = {
    Dockerfile: source.dockerfile,
    "requirements.lock": source.lockFile,
  };
  for (const file of await kernelFiles(source.kernelFolder))
    parts[relative(source.kernelFolder, file)] = file;
  for (const [name, file] of Object.entries(parts)) hash.update(`\0${name}\0`).update(await readFile(file));
  return `${REPOSITORY}:${hash.digest("hex").slice(0, 16)}`;
}

export async function hasImage(tag: string, options: EngineOptions = {}): Promise<boolean> {
  const listed = await new Engine(options).run(["images", "--quiet", tag]);
  return listed.trim() !== "";
}

/** Builds the kernel's image from a folder that holds nothing else; gives its tag. */
export async function buildImage(options: BuildImageOptions): Promise<string> {
  const tag = await imageTag(options);
  const engine = new Engine(options.engine);
  const context = await mkdtemp(join(tmpdir(), "glovebox-image-"));
  try {
    options.onProgress?.({ step: "Building the image", detail: tag });
    await fillContext(context, options);
    await engine.run(["build", ...buildArguments(options), "--tag", tag, context], {
      signal: options.signal,
      timeoutMs: BUILD_MS,
      onLine: (line) => {
        const progress = progressOf(line);
        if (progress) options.onProgress?.(progress);
      },
    });
    options.onProgress?.({ step: "Ready", detail: tag });
    return tag;
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}

function buildArguments({ base, engine }: BuildImageOptions): string[] {
  const env = engine?.env ?? process.env;
  const given = PASSED_ON.filter((name) => env[name]).flatMap((name) => [
    "--build-arg",
    `${name}=${env[name]}`,
  ]);
  return [...(base ? ["--build-arg", `BASE=${base}`] : []), ...given];
}

async function fillContext(context: string, source: ImageSource): Promise<void> {
  await cp(source.dockerfile, join(context, "Dockerfile"));
  await cp(source.lockFile, join(context, "requirements.lock"));
  for (const file of await kernelFiles(source.kernelFolder)) {
    const to = join(context, "kernel", relative(source.kernelFolder, file));
    await mkdir(dirname(to), { recursive: true });
    await cp(file, to);
  }
}

async function kernelFiles(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, "glovebox_kernel"), { recursive: true });
  const sources = entries.filter((name) => name.endsWith(".py")).sort();
  return [join(folder, "container.py"), ...sources.map((name) => join(folder, "glovebox_kernel", name))];
}
