import type { ReportProgress } from "./environment.ts";
import type { Interpreter } from "./find-python.ts";
import type { RequirementsLock } from "./lock-file.ts";

export type InstallerContext = {
  python: Interpreter;
  /** Where the environment goes; it does not exist yet. */
  prefix: string;
  scratch: string;
  lock: RequirementsLock;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  report: ReportProgress;
  obstacle: string | undefined;
};

/** Fills the prefix; "unreachable" when the packages' index does not answer. */
export type Installer = (context: InstallerContext) => Promise<"installed" | { unreachable: string }>;
