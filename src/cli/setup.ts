import { type DockerChoice, imageSource, lockFile } from "../compose.ts";
import { gloveboxHome } from "../config.ts";
import { GloveboxError } from "../errors.ts";
import { ensureEnvironment } from "../sandbox/environment/ensure.ts";
import type {
  EnvironmentSource,
  PythonEnvironment,
  SetupProgress,
} from "../sandbox/environment/environment.ts";
import { findEnvironment } from "../sandbox/environment/find.ts";
import { readArguments, refuseWords } from "./arguments.ts";
import { Ending } from "./ending.ts";
import { Progress } from "./progress.ts";
import { countOf, secondsInWords } from "./quantities.ts";
import { notEmpty, readSandbox } from "./session-flags.ts";
import { reportSetup } from "./setup-progress.ts";
import type { Terminal } from "./terminal.ts";

const sources: readonly EnvironmentSource[] = ["uv", "pip", "debian"];

/** Installs the Python environment ahead of its first use. */
export async function setup(args: string[], terminal: Terminal): Promise<number> {
  const given = readArguments("setup", args, {
    source: { type: "string" },
    sandbox: { type: "string" },
    engine: { type: "string" },
    base: { type: "string" },
  });
  refuseWords("setup", given);
  const { sandbox, docker } = readSandbox(given);
  if (sandbox === "docker") return setupImage({ ...docker, ...baseOf(given.value("base")) }, terminal);
  if (given.has("base")) throw new GloveboxError("usage", "--base is for containers; add --sandbox docker.");
  const source = readSource(given.value("source"));
  const options = { home: gloveboxHome(), lockFile, ...(source ? { source } : {}) };
  using ending = new Ending(terminal);
  const startedAt = Date.now();
  const found = await findEnvironment(options);
  const environment = found ?? (await install(options, terminal, ending));
  if (ending.status !== undefined) return ending.status;
  const took = found ? "was installed already" : `was installed in ${secondsInWords(Date.now() - startedAt)}`;
  terminal.stdout.line(describe(environment, took));
  return 0;
}

/** Builds the image that containers are started from. */
async function setupImage({ base, command }: DockerChoice, terminal: Terminal): Promise<number> {
  const { buildImage, hasImage, imageTag } = await import("../sandbox/docker/image.ts");
  const source = { ...imageSource, ...(base ? { base } : {}) };
  const engine = command ? { command } : {};
  using ending = new Ending(terminal);
  const progress = new Progress(terminal.stderr);
  try {
    const tag = await imageTag(source);
    if (await hasImage(tag, engine)) {
      terminal.stdout.line(`The image ${tag} was built already.`);
      return 0;
    }
    const onProgress = (step: SetupProgress) => reportSetup(progress, step);
    await buildImage({ ...source, engine, onProgress, signal: ending.signal });
    progress.stop();
    terminal.stdout.line(`The image ${tag} was built.`);
    return 0;
  } catch (error) {
    if (ending.status !== undefined) return ending.status;
    throw error;
  } finally {
    progress.stop();
  }
}

function baseOf(image: string | undefined): DockerChoice {
  return image === undefined ? {} : { base: notEmpty("--base", image, "an image's name") };
}

async function install(
  options: Parameters<typeof ensureEnvironment>[0],
  terminal: Terminal,
  ending: Ending,
): Promise<PythonEnvironment> {
  const progress = new Progress(terminal.stderr);
  try {
    return await ensureEnvironment({
      ...options,
      signal: ending.signal,
      onProgress: (step) => reportSetup(progress, step),
    });
  } finally {
    progress.stop();
  }
}

function describe(environment: PythonEnvironment, took: string): string {
  const { version, packages, source, prefix, missing } = environment;
  const what = `Python ${version} with ${countOf(Object.keys(packages).length, "package")} from ${source}`;
  const lacks = missing.length > 0 ? ` Missing: ${missing.join(", ")}.` : " Nothing is missing.";
  return `${what} ${took}, in ${prefix}.${lacks}`;
}

function readSource(name: string | undefined): EnvironmentSource | undefined {
  if (name === undefined) return undefined;
  const source = sources.find((one) => one === name);
  if (source) return source;
  throw new GloveboxError("usage", `--source is ${JSON.stringify(name)}; give one of ${sources.join(", ")}.`);
}
