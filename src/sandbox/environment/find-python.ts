import { access, constants, readdir } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { GloveboxError } from "../../errors.ts";
import { childEnvironment } from "./child-environment.ts";
import { runCommand } from "./run-command.ts";

export type Interpreter = {
  /** The real program, past shims, links and virtual environments. */
  executable: string;
  basePrefix: string;
  version: string;
  hasPip: boolean;
};

type Probe = Interpreter & { implementation: string; freeThreaded: boolean; hasVenv: boolean };

export type PythonSearch = {
  env: NodeJS.ProcessEnv;
  needsPip: boolean;
  uv?: string;
  /** Look at this path alone. */
  only?: string;
  signal?: AbortSignal | undefined;
};

const oldest = 10;
// The newest minor version that the lock has wheels for; GLOVEBOX_PYTHON may name a newer one.
const newest = 14;

// Objects can be immortal since then, and what is never counted stays shared by all sessions: half the memory of each.
const firstSharing = 12;

const probeProgram = `
import importlib.util, json, os, sys, sysconfig
print(json.dumps({
  "executable": os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable),
  "basePrefix": sys.base_prefix,
  "version": "%d.%d.%d" % sys.version_info[:3],
  "implementation": sys.implementation.name,
  "freeThreaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
  "hasVenv": importlib.util.find_spec("venv") is not None,
  "hasPip": importlib.util.find_spec("ensurepip") is not None,
}))`;

/** The first Python that can carry an environment, or why each one seen cannot. */
export async function findPython(search: PythonSearch): Promise<Interpreter | { refused: string[] }> {
  const requested = search.env.GLOVEBOX_PYTHON;
  const refused = new Map<string, string>();
  for (const candidate of requested ? [requested] : await candidates(search)) {
    const path = await programPath(candidate, search.env);
    const probe = path && (await probePython(path, search));
    const fault = probe
      ? faultOf(probe, search.needsPip, requested !== undefined)
      : "is not a Python that starts";
    if (probe && !fault) {
      const { executable, basePrefix, version, hasPip } = probe;
      return { executable, basePrefix, version, hasPip };
    }
    if (requested) {
      const fix = `Set it to a Python 3.${oldest} or newer, or unset it.`;
      throw new GloveboxError("environment", `GLOVEBOX_PYTHON: ${requested} ${fault}. ${fix}`);
    }
    if (probe) refused.set(probe.executable, `${path} ${fault}`);
  }
  return { refused: [...refused.values()] };
}

async function probePython(path: string, search: PythonSearch): Promise<Probe | undefined> {
  const env = childEnvironment(search.env);
  const result = await runCommand({
    command: path,
    args: ["-I", "-c", probeProgram],
    env,
    signal: search.signal,
  });
  try {
    return JSON.parse(result.stdout.at(-1) ?? "") as Probe;
  } catch {
    return undefined;
  }
}

export async function programPath(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folders = (env.PATH ?? "/usr/local/bin:/usr/bin:/bin")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder));
  for (const path of name.includes("/") ? [name] : folders.map((folder) => join(folder, name))) {
    const executable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (executable) return path;
  }
  return undefined;
}

async function candidates(search: PythonSearch): Promise<string[]> {
  if (search.only) return [search.only];
  const versions = Array.from({ length: newest - oldest + 1 }, (_, index) => `python3.${newest - index}`);
  const isSharing = (version: string) => Number(version.slice("python3.".length)) >= firstSharing;
  const named = [
    ...versions.filter(isSharing),
    ...(await pyenvPythons(versions.filter(isSharing), search.env)),
    "python3",
    ...versions,
    "/usr/bin/python3",
  ];
  if (!search.uv) return named;
  const args = ["python", "find", "--no-python-downloads", "--no-project", `>=3.${oldest},<3.${newest + 1}`];
  const env = childEnvironment(search.env);
  const managed = await runCommand({ command: search.uv, args, env, signal: search.signal });
  return managed.ok ? [...named, ...managed.stdout.slice(-1)] : named;
}

/** pyenv's shims answer only for the version that is switched on; the others are there all the same. */
async function pyenvPythons(versions: string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const root = env.PYENV_ROOT ?? (env.HOME && join(env.HOME, ".pyenv"));
  if (!root) return [];
  const names = await readdir(join(root, "versions")).catch(() => []);
  return versions.flatMap((version) =>
    names
      .filter((name) => `python${name}`.startsWith(`${version}.`))
      .map((name) => join(root, "versions", name, "bin", version)),
  );
}

function faultOf(probe: Probe, needsPip: boolean, requested: boolean): string | undefined {
  const [major, minor] = probe.version.split(".").map(Number) as [number, number];
  const name = `is Python ${probe.version}`;
  if (major !== 3 || minor < oldest) return `${name}, older than 3.${oldest}`;
  if (minor > newest && !requested) return `${name}, newer than 3.${newest}`;
  if (probe.implementation !== "cpython") return `${name} of ${probe.implementation}, not CPython`;
  if (probe.freeThreaded && !requested) return `${name} without a global lock, which few wheels support`;
  if (!probe.hasVenv) return `${name} without its venv module`;
  if (needsPip && !probe.hasPip) return `${name} without ensurepip (Debian: python3-venv)`;
  return undefined;
}
