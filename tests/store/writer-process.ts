// A process that appends numbered items to a conversation and says each number once the store has taken it.
import { userMessage } from "../../src/protocol/items.ts";
import { SqliteConversations } from "../../src/store/conversations.ts";
import { Database } from "../../src/store/database.ts";

const [home = "", id = "", count = "0"] = process.argv.slice(2);
await using database = new Database({ home });
const conversations = new SqliteConversations(database);
await conversations.create({ id });
for (let n = 0; n < Number(count); n++) {
  await conversations.append(id, [userMessage(`item ${n}`)]);
  process.stdout.write(`${n}\n`);
}
