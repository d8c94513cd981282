/**
 * What turns each version of the store into the next: entry n leads from version n to version n + 1. Entries are only
 * ever added, since stores of every version are about.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE notes (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     text TEXT NOT NULL,
     tags TEXT NOT NULL,
     created_ms INTEGER NOT NULL
   ) STRICT;
   CREATE VIRTUAL TABLE note_words USING fts5(
     text, tags, content = '', contentless_delete = 1,
     tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co So'"
   );

   CREATE TABLE defined_tools (
     name TEXT PRIMARY KEY,
     description TEXT NOT NULL,
     parameters TEXT NOT NULL,
     code TEXT NOT NULL,
     updated_ms INTEGER NOT NULL
   ) STRICT;

   CREATE TABLE conversations (
     id TEXT PRIMARY KEY,
     title TEXT NOT NULL,
     session TEXT,
     model TEXT,
     created_ms INTEGER NOT NULL,
     updated_ms INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX conversations_by_time ON conversations (updated_ms DESC);
   CREATE TABLE conversation_items (
     conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
     position INTEGER NOT NULL,
     item TEXT NOT NULL,
     UNIQUE (conversation, position)
   ) STRICT;`,

  `CREATE TABLE api_keys (
     id TEXT PRIMARY KEY,
     name TEXT UNIQUE,
     hash TEXT NOT NULL,
     created_ms INTEGER NOT NULL
   ) STRICT;

   CREATE TABLE files (
     position INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     owner TEXT NOT NULL,
     filename TEXT NOT NULL,
     purpose TEXT NOT NULL,
     bytes INTEGER NOT NULL,
     blob TEXT NOT NULL,
     created_ms INTEGER NOT NULL,
     expires_ms INTEGER
   ) STRICT;
   CREATE INDEX files_by_owner ON files (owner, position);
   CREATE INDEX files_by_blob ON files (blob);
   CREATE INDEX files_by_expiry ON files (expires_ms) WHERE expires_ms IS NOT NULL;

   CREATE TABLE containers (
     position INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     owner TEXT NOT NULL,
     name TEXT NOT NULL,
     memory_limit TEXT NOT NULL,
     expires_after_minutes INTEGER NOT NULL,
     created_ms INTEGER NOT NULL,
     last_active_ms INTEGER NOT NULL,
     opened INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX containers_by_owner ON containers (owner, position);
   CREATE TABLE container_files (
     position INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     container TEXT NOT NULL REFERENCES containers (id) ON DELETE CASCADE,
     name TEXT NOT NULL,
     bytes INTEGER NOT NULL,
     source TEXT NOT NULL,
     created_ms INTEGER NOT NULL,
     UNIQUE (container, name)
   ) STRICT;`,
  `CREATE TABLE responses (
     id TEXT PRIMARY KEY,
     owner TEXT NOT NULL,
     status TEXT NOT NULL,
     body TEXT NOT NULL,
     previous TEXT,
     deleted INTEGER NOT NULL DEFAULT 0,
     created_ms INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX responses_by_previous ON responses (previous) WHERE previous IS NOT NULL;
   CREATE INDEX responses_unfinished ON responses (status) WHERE status IN ('queued', 'in_progress');
   CREATE INDEX responses_deleted ON responses (owner) WHERE deleted = 1;
   CREATE TABLE response_items (
     response TEXT NOT NULL REFERENCES responses (id) ON DELETE CASCADE,
     side TEXT NOT NULL,
     position INTEGER NOT NULL,
     id TEXT NOT NULL,
     item TEXT NOT NULL,
     told TEXT,
     UNIQUE (response, side, position)
   ) STRICT;
   CREATE INDEX response_items_by_id ON response_items (id);
   CREATE TABLE response_events (
     response TEXT NOT NULL REFERENCES responses (id) ON DELETE CASCADE,
     sequence INTEGER NOT NULL,
     event TEXT NOT NULL,
     UNIQUE (response, sequence)
   ) STRICT;

   CREATE TABLE owned_conversations (
     id TEXT PRIMARY KEY,
     owner TEXT NOT NULL,
     metadata TEXT NOT NULL,
     created_ms INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE owned_conversation_items (
     conversation TEXT NOT NULL REFERENCES owned_conversations (id) ON DELETE CASCADE,
     position INTEGER NOT NULL,
     id TEXT NOT NULL,
     item TEXT NOT NULL,
     told TEXT,
     UNIQUE (conversation, position)
   ) STRICT;
   CREATE INDEX owned_conversation_items_by_id ON owned_conversation_items (id);`,
  "ALTER TABLE container_files ADD COLUMN upload TEXT;",
];
