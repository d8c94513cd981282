import assert from "node:assert/strict";
import { test } from "node:test";
import { toFile } from "openai";
import { openTestServer } from "../support/server.ts";

const server = await openTestServer({ python: true });
const client = server.client();

test("without any provider the built-in analyst answers, and goes on where it was", async () => {
  const file = await client.files.create({
    file: await toFile(Buffer.from("region,sales\nnorth,10\nsouth,32\nnorth,5\n"), "sales.csv"),
    purpose: "user_data",
  });
  const tools = [
    { type: "code_interpreter" as const, container: { type: "auto" as const, file_ids: [file.id] } },
  ];
  const stream = client.responses.stream({
    model: "offline",
    input: "What are the total sales by region?",
    tools,
  });
  const first = await stream.finalResponse();
  assert.match(first.output_text, /south/);
  const [loading] = first.output;
  assert.ok(loading?.type === "code_interpreter_call");
  assert.match(loading.code ?? "", /read_csv\("sales\.csv"\)/);
  const next = await client.responses.create({
    model: "offline",
    input: "And the average?",
    previous_response_id: first.id,
    tools,
  });
  // The table is known already, so that one cell is enough.
  assert.deepEqual(
    next.output.map((item) => item.type),
    ["code_interpreter_call", "message"],
  );
  assert.match(next.output_text, /average/);
});
