import { join } from "node:path";
import { type BlobStore, DiskBlobs } from "./blobs.ts";
import { type ContainerStore, SqliteContainers } from "./containers.ts";
import { type OwnedConversationStore, SqliteOwnedConversations } from "./conversation-items.ts";
import { type ConversationStore, SqliteConversations } from "./conversations.ts";
import { Database } from "./database.ts";
import { type DefinedToolStore, SqliteDefinedTools } from "./defined-tools.ts";
import { type FileStore, SqliteFiles } from "./files.ts";
import { type KeyStore, SqliteKeys } from "./keys.ts";
import { type NoteStore, SqliteNotes } from "./notes.ts";
import { type ResponseStore, SqliteResponses } from "./responses.ts";

/** What outlives the process. */
export interface Store {
  readonly conversations: ConversationStore;
  readonly notes: NoteStore;
  readonly definedTools: DefinedToolStore;
  readonly blobs: BlobStore;
  readonly files: FileStore;
  readonly containers: ContainerStore;
  readonly keys: KeyStore;
  readonly responses: ResponseStore;
  readonly ownedConversations: OwnedConversationStore;
  close(): Promise<void>;
}

/** The embedded one: a file below the home, opened with its first use. */
export function embeddedStore(options: { home: string; onLog?: (line: string) => void }): Store {
  const database = new Database(options);
  return {
    conversations: new SqliteConversations(database),
    notes: new SqliteNotes(database),
    definedTools: new SqliteDefinedTools(database),
    blobs: new DiskBlobs(join(options.home, "blobs")),
    files: new SqliteFiles(database),
    containers: new SqliteContainers(database),
    keys: new SqliteKeys(database),
    responses: new SqliteResponses(database),
    ownedConversations: new SqliteOwnedConversations(database),
    close: () => database.close(),
  };
}
