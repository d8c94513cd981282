import type { SetupProgress } from "../sandbox/environment/environment.ts";
import type { Progress } from "./progress.ts";

/** A step of the installation, with how far it has come. */
export function reportSetup(progress: Progress, { step, detail, done, total }: SetupProgress): void {
  const share = done !== undefined && total !== undefined ? `${done} of ${total}` : undefined;
  progress.report(`Python environment: ${step}`, [share, detail].filter(Boolean).join(" · "));
}
