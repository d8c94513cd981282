import { GloveboxError } from "../../errors.ts";

export interface Check {
  readonly group: "python" | "walls" | "limits";
  readonly name: string;
  /** Null: not in force here, and sessions are safe without it. */
  readonly ok: boolean | null;
  readonly detail: string;
  readonly mend?: string;
}

/** The check that `attempt` makes, or one that says why it could not be made. */
export async function checked(
  group: Check["group"],
  name: string,
  attempt: () => Promise<Omit<Check, "group" | "name">>,
): Promise<Check> {
  try {
    return { group, name, ...(await attempt()) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const mend = error instanceof GloveboxError ? undefined : reportIt;
    return { group, name, ok: false, detail: `It could not be tried: ${why}`, ...(mend ? { mend } : {}) };
  }
}

export const reportIt =
  "Do not run code that you do not trust here. Report it with what `glovebox doctor --json` prints.";
