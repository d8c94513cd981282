import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Session } from "../session/session.ts";
import type { NoteStore } from "../store/notes.ts";
import { listCsvFiles } from "../tools/list-csv-files.ts";
import { loadCsvHandle } from "../tools/load-csv-handle.ts";
import { pythonRepl } from "../tools/python-repl.ts";
import { saveNoteTool } from "../tools/save-note.ts";
import { searchNotesTool } from "../tools/search-notes.ts";
import type { Tool } from "../tools/tool.ts";
import { outputSchemas } from "./output-schemas.ts";
import { interruptSession } from "./tools/interrupt-session.ts";
import { listVariables } from "./tools/list-variables.ts";
import { putFile } from "./tools/put-file.ts";
import { resetSessionTool } from "./tools/reset-session.ts";

/** A tool as clients are shown it. */
export interface Offer {
  readonly tool: Tool;
  readonly title: string;
  readonly annotations: Required<Omit<ToolAnnotations, "title">>;
  readonly output: z.ZodType;
  /** Whether it works in a session, and whether it may be the first to do so. */
  readonly session: "begins" | "existing" | "none";
}

export interface OfferParts {
  readonly reset: (session: Session) => Promise<void>;
  /** Without a store there are no notes. */
  readonly notes: NoteStore | undefined;
}

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const changes = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };

export function offers({ reset, notes }: OfferParts): Offer[] {
  return [
    {
      tool: pythonRepl,
      title: "Run Python",
      // Nothing outside the session, but its files can be deleted.
      annotations: changes,
      output: outputSchemas.python,
      session: "begins",
    },
    {
      tool: listCsvFiles,
      title: "List tables",
      annotations: reads,
      output: outputSchemas.tables,
      session: "existing",
    },
    {
      tool: loadCsvHandle as Tool,
      title: "Load a table",
      annotations: { ...adds, idempotentHint: true },
      output: outputSchemas.python,
      session: "existing",
    },
    {
      tool: listVariables,
      title: "List variables",
      annotations: reads,
      output: outputSchemas.variables,
      session: "existing",
    },
    {
      tool: putFile,
      title: "Put a file",
      annotations: { ...changes, idempotentHint: true },
      output: outputSchemas.putFile,
      session: "begins",
    },
    {
      tool: interruptSession,
      title: "Stop the running code",
      annotations: { ...adds, idempotentHint: true },
      output: outputSchemas.interrupted,
      session: "existing",
    },
    {
      tool: resetSessionTool(reset),
      title: "Begin with a fresh Python",
      annotations: { ...changes, idempotentHint: true },
      output: outputSchemas.reset,
      session: "existing",
    },
    ...(notes ? noteOffers(notes) : []),
  ];
}

function noteOffers(notes: NoteStore): Offer[] {
  return [
    {
      tool: saveNoteTool(notes),
      title: "Save a note",
      annotations: adds,
      output: outputSchemas.savedNote,
      session: "none",
    },
    {
      tool: searchNotesTool(notes),
      title: "Search notes",
      annotations: reads,
      output: outputSchemas.foundNotes,
      session: "none",
    },
  ];
}
