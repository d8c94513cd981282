import { z } from "zod";
import { NewNote, type Note, type NoteStore } from "../store/notes.ts";
import { oneLine } from "./one-line.ts";
import { type Tool, tool } from "./tool.ts";

export function saveNoteTool(notes: NoteStore): Tool {
  return tool({
    name: "save_note",
    description:
      "Remember something for later conversations: what the user prefers, what a column means, what was decided. One fact a " +
      "note, in words that make sense on their own. No secrets.",
    parameters: z.strictObject({
      text: NewNote.shape.text.describe("What to remember."),
      tags: NewNote.shape.tags.unwrap().optional().describe("A few words that it may also be looked up by."),
    }),
    parallel: true,
    describe: ({ text }) => ({ intent: oneLine(`Noting: ${text}`) }),
    async run({ text, tags }): Promise<{ message: Record<string, unknown>; value: Note; success: boolean }> {
      const note = await notes.save({ text, ...(tags ? { tags } : {}) });
      return { message: { kind: "object", json: { saved: note.id } }, value: note, success: true };
    },
  });
}
