import { join } from "node:path";
import { GloveboxError } from "../../errors.ts";
import { childEnvironment } from "./child-environment.ts";
import type { InstallerContext } from "./installer.ts";
import { usefulLines } from "./installer-failure.ts";
import { directNames } from "./lock-file.ts";
import { runCommand } from "./run-command.ts";

export type Verification = { packages: Record<string, string>; failures: Record<string, string> };

// Where the module is not the distribution's name.
const modules: Record<string, string> = {
  beautifulsoup4: "bs4",
  ipython: "IPython",
  matplotlib: "matplotlib.pyplot",
  pillow: "PIL.Image",
  "python-dateutil": "dateutil",
  "python-docx": "docx",
  "python-pptx": "pptx",
  pyyaml: "yaml",
  "scikit-learn": "sklearn",
  scipy: "scipy.stats",
  statsmodels: "statsmodels.api",
};

// The name goes to stderr first, so that a crash names its module.
const program = `
import importlib, json, re, sys
from importlib import metadata
wanted, modules = json.loads(sys.argv[1])
installed = {}
for one in metadata.distributions():
    name = one.metadata["Name"]
    if name: installed.setdefault(re.sub(r"[-_.]+", "-", name).lower(), one.version)
failures = {}
for name, module in modules.items():
    if name not in installed: continue
    print("importing", module, file=sys.stderr, flush=True)
    try: importlib.import_module(module)
    except BaseException as error: failures[name] = "%s: %s" % (type(error).__name__, error)
print()
print(json.dumps({"packages": {n: installed[n] for n in wanted if n in installed}, "failures": failures}))`;

/** Imports each package that was asked for, in one process, as a session would. */
export async function verifyEnvironment(context: InstallerContext): Promise<Verification> {
  context.report({ step: "Checking that everything imports" });
  const names = [...new Set(context.lock.requirements.map((one) => one.name))];
  const imports = directNames(context.lock).map((name) => [name, modules[name] ?? name.replaceAll("-", "_")]);
  const result = await runCommand({
    command: join(context.prefix, "bin", "python"),
    args: ["-I", "-c", program, JSON.stringify([names, Object.fromEntries(imports)])],
    env: childEnvironment(context.env, {
      MPLBACKEND: "Agg",
      MPLCONFIGDIR: context.scratch,
      TMPDIR: context.scratch,
    }),
    cwd: context.scratch,
    signal: context.signal,
  });
  try {
    return JSON.parse(result.stdout.at(-1) ?? "") as Verification;
  } catch (cause) {
    const how = `The new environment's Python stopped with ${result.ending} (${result.lines.at(-1) ?? "no output"}).`;
    const fix = "Set GLOVEBOX_PYTHON to another Python and run `glovebox setup` again.";
    const message = [`${how} ${fix}`, ...usefulLines(result.lines)].join("\n");
    throw new GloveboxError("environment", message, { cause });
  }
}
