import { createHash } from "node:crypto";

/** A call's id says what it was for, since nothing else is remembered. */
export type CallRole = "list" | "load" | "answer" | `profile-${string}` | `lookup-${string}`;

const PREFIX = "offline";

export function profileRole(df: string): CallRole {
  return `profile-${tagOf(df)}`;
}

export function lookupRole(df: string): CallRole {
  return `lookup-${tagOf(df)}`;
}

/** The same for the same conversation, and unlike any other in it. */
export function callIdFor(role: CallRole, text: string, taken: ReadonlySet<string>): string {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
  for (let again = 1; ; again++) {
    const id = `${PREFIX}_${role}_${digest}${again > 1 ? `_${again}` : ""}`;
    if (!taken.has(id)) return id;
  }
}

export function roleOfCall(callId: string): string | undefined {
  const [prefix, role] = callId.split("_");
  return prefix === PREFIX ? role : undefined;
}

function tagOf(df: string): string {
  return createHash("sha256").update(df).digest("hex").slice(0, 8);
}
