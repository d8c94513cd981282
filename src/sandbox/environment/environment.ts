export type EnvironmentSource = "uv" | "pip" | "debian";

/** A complete Python with the libraries that sessions import. */
export type PythonEnvironment = {
  python: string;
  prefix: string;
  basePrefix: string;
  version: string;
  source: EnvironmentSource;
  packages: Record<string, string>;
  /** Packages of the lock that this source could not give, such as polars from Debian. */
  missing: string[];
};

export type SetupProgress = { step: string; detail?: string; done?: number; total?: number };

export type ReportProgress = (line: SetupProgress) => void;

export type FindEnvironmentOptions = {
  home: string;
  lockFile: string;
  env?: NodeJS.ProcessEnv;
  source?: EnvironmentSource;
};

export type EnsureEnvironmentOptions = FindEnvironmentOptions & {
  onProgress?: ReportProgress;
  signal?: AbortSignal;
};
