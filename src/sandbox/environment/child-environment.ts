// Each of these would send the installation elsewhere or put its bytecode out of the sessions' reach.
const diverting = [
  "PYTHONHOME",
  "PYTHONPATH",
  "PYTHONPYCACHEPREFIX",
  "PYTHONSTARTUP",
  "VIRTUAL_ENV",
  "CONDA_PREFIX",
  "PIP_CONSTRAINT",
  "PIP_DRY_RUN",
  "PIP_NO_BINARY",
  "PIP_PREFIX",
  "PIP_QUIET",
  "PIP_REQUIREMENT",
  "PIP_ROOT",
  "PIP_TARGET",
  "PIP_USER",
  "UV_BREAK_SYSTEM_PACKAGES",
  "UV_CONSTRAINT",
  "UV_NO_BINARY",
  "UV_OVERRIDE",
  "UV_PYTHON",
  "UV_SYSTEM_PYTHON",
  "UV_VENV_CLEAR",
  "UV_VENV_SEED",
];

/** The user's variables (indexes, certificates, proxies) without those that divert an installation. */
export function childEnvironment(env: NodeJS.ProcessEnv, extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !diverting.includes(name));
  return { ...Object.fromEntries(kept), PYTHONUNBUFFERED: "1", NO_COLOR: "1", ...extra };
}
