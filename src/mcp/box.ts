import type { Session } from "../session/session.ts";
import type { NoteStore } from "../store/notes.ts";

/** What is needed of a Glovebox. */
export interface McpBox {
  session(options?: { readonly id?: string }): Promise<Session>;
  readonly store: { readonly notes: NoteStore };
}
