import type { NoteStore } from "../store/notes.ts";

/** Notes of a store that is opened with their first use. */
export function lazyNotes(open: () => Promise<NoteStore>): NoteStore {
  return {
    save: async (note) => (await open()).save(note),
    search: async (query, options) => (await open()).search(query, options),
    list: async (options) => (await open()).list(options),
    count: async () => (await open()).count(),
    remove: async (id) => (await open()).remove(id),
  };
}
