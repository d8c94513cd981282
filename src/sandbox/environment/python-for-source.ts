import { GloveboxError } from "../../errors.ts";
import { aptInstall, aptInstallCommand, aptUpdate, isDebian } from "./debian-packages.ts";
import type { EnvironmentSource, ReportProgress } from "./environment.ts";
import { findPython, type Interpreter, type PythonSearch } from "./find-python.ts";

type Wish = {
  env: NodeJS.ProcessEnv;
  uv: string | undefined;
  report: ReportProgress;
  signal: AbortSignal | undefined;
  obstacle: string | undefined;
};

const debianPython = "/usr/bin/python3";

/** The Python that this source can fill; as root on Debian it is installed where there is none. */
export async function pythonForSource(
  wish: Wish,
  source: EnvironmentSource,
): Promise<Interpreter | { unreachable: string }> {
  if (source === "uv" && !wish.uv) {
    const message = "There is no uv on the PATH. Install it, or choose pip as the source.";
    throw new GloveboxError("environment", message);
  }
  if (source === "debian") await refuseOtherPython(wish);
  const found = await findPython(searchFor(wish, source));
  if (!("refused" in found)) return found;
  const wanted = source === "pip" ? ["python3", "python3-venv"] : ["python3"];
  const debian = await isDebian(wish.env);
  if (debian && process.getuid?.() === 0) {
    wish.report({ step: "Installing Python", detail: wanted.join(" ") });
    await aptUpdate(wish);
    await aptInstall(wanted, wish);
    const installed = await findPython(searchFor(wish, source));
    if (!("refused" in installed)) return installed;
  }
  const seen = found.refused.length > 0 ? ` (${found.refused.join("; ")})` : "";
  const reason = `There is no Python 3.10 to 3.14 that can make an environment${seen}.`;
  if (wish.obstacle && source === "pip") return { unreachable: wish.obstacle };
  const aptHelps = debian && found.refused.every((why) => why.includes("ensurepip"));
  throw new GloveboxError("environment", `${reason} ${fixFor(wish, aptHelps ? wanted : undefined)}`);
}

function searchFor({ env, uv, signal }: Wish, source: EnvironmentSource): PythonSearch {
  const search = { env, signal, needsPip: source === "pip" };
  if (source === "debian")
    return { ...search, env: { ...env, GLOVEBOX_PYTHON: undefined }, only: debianPython };
  return source === "uv" && uv ? { ...search, uv } : search;
}

// Debian's packages are made for Debian's Python, so another one that was asked for cannot have them.
async function refuseOtherPython(wish: Wish): Promise<void> {
  if (!wish.env.GLOVEBOX_PYTHON) return;
  const requested = await findPython({ env: wish.env, signal: wish.signal, needsPip: false });
  const debians = await findPython(searchFor(wish, "debian"));
  if ("executable" in requested && "executable" in debians && requested.executable === debians.executable)
    return;
  const why = `Debian's packages fit ${debianPython} only, and the Python package index cannot be reached.`;
  throw new GloveboxError(
    "environment",
    `${why} Unset GLOVEBOX_PYTHON (${wish.env.GLOVEBOX_PYTHON}), or mend the network.`,
  );
}

function fixFor(wish: Wish, debianPackages: string[] | undefined): string {
  if (debianPackages) return `Run: ${aptInstallCommand(debianPackages)}`;
  if (wish.uv) return "Run: uv python install 3.13";
  return "Install one with your system's package manager, or set GLOVEBOX_PYTHON to one.";
}
