import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createContainer, deleteContainer } from "../../src/tools/openai-code-interpreter/containers.ts";
import { downloadCitations } from "../../src/tools/openai-code-interpreter/download-citations.ts";
import { runHosted } from "../../src/tools/openai-code-interpreter/run-hosted.ts";
import { OpenAICodeInterpreterTool } from "../../src/tools/openai-code-interpreter/tool.ts";

const model = process.env.GLOVEBOX_LIVE_MODEL ?? "gpt-5.1";
const skip = process.env.OPENAI_API_KEY ? false : "OPENAI_API_KEY is not set, so OpenAI itself is not asked";
const timeout = 180_000;

test("OpenAI computes in a container that is used twice", { skip, timeout }, async () => {
  const container = await createContainer({ name: "glovebox-live" });
  try {
    const tool = new OpenAICodeInterpreterTool({ container: { id: container.id } });
    const ask = (input: string) => runHosted({ tool, model, input, toolChoice: "required" });
    const first = await ask(
      "With Python: compute 12345 * 6789, print it, and write it to /mnt/data/product.txt.",
    );
    const second = await ask("With Python: read the number in /mnt/data/product.txt and print it plus one.");
    assert.equal(first.containerId, container.id);
    assert.match(JSON.stringify(first.toolResults), /83810205/);
    assert.match(JSON.stringify(second.toolResults), /83810206/);
    assert.ok(first.toolResults.every(({ success }) => success));
  } finally {
    await deleteContainer(container.id);
  }
});

test("OpenAI makes a picture that is cited and downloaded", { skip, timeout }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "glovebox-live-"));
  try {
    const run = await runHosted({
      tool: new OpenAICodeInterpreterTool({ container: { type: "auto" } }),
      model,
      input:
        "Plot y = x² with matplotlib for x from 0 to 10, save it as parabola.png, and link the file in your answer.",
      toolChoice: "required",
    });
    const files = await downloadCitations(run, { folder });
    const bytes = await readFile(files[0]?.path ?? "");
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
