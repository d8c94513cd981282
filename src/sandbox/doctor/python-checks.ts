import type { PythonEnvironment } from "../environment/environment.ts";
import type { Check } from "./check.ts";

const main = [
  "numpy",
  "pandas",
  "polars",
  "pyarrow",
  "matplotlib",
  "scipy",
  "scikit-learn",
  "duckdb",
  "ipython",
];

export function checkPython(environment: PythonEnvironment): Check[] {
  const { version, source, prefix, packages, missing } = environment;
  const all = Object.keys(packages).length;
  const versions = main.filter((name) => packages[name]).map((name) => `${name} ${packages[name]}`);
  const checks: Check[] = [
    { group: "python", name: "Python", ok: true, detail: `${version}, from ${source}, in ${prefix}` },
    { group: "python", name: "packages", ok: true, detail: `${all}: ${versions.join(", ")} and others` },
  ];
  if (missing.length === 0) return checks;
  const mend = "Reach the package index and run: glovebox setup --source pip";
  return [...checks, { group: "python", name: "missing", ok: null, detail: missing.join(", "), mend }];
}

export function noPython(requested: string | undefined): Check {
  const why = requested ? ` that was built on ${requested} (GLOVEBOX_PYTHON)` : "";
  const detail = `no environment${why} is installed`;
  return { group: "python", name: "Python", ok: false, detail, mend: "glovebox setup" };
}
