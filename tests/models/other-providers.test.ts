import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { after, test } from "node:test";
import { openModel } from "../../src/models/open-model.ts";
import { collect, failing } from "./collect.ts";

/** Packages as a user may have installed them beside ours. */
const installed: Record<string, string> = {
  "@ai-sdk/tiny-talk": `
    export const createOther = () => ({});
    export const createTinyTalk = ({ apiKey, baseURL, headers }) => ({
      languageModel: (modelId) => ({
        specificationVersion: "v4",
        provider: "tiny",
        modelId,
        async doStream() {
          const said = JSON.stringify({ modelId, apiKey, baseURL, headers });
          const none = { total: undefined };
          return {
            stream: ReadableStream.from([
              { type: "stream-start", warnings: [] },
              { type: "text-start", id: "0" },
              { type: "text-delta", id: "0", delta: said },
              { type: "text-end", id: "0" },
              { type: "finish", usage: { inputTokens: none, outputTokens: none }, finishReason: { unified: "other" } },
            ]),
          };
        },
      }),
    });`,
  "@ai-sdk/oldish": `
    export const createOldish = () => ({ languageModel: () => ({ specificationVersion: "v2" }) });`,
  "@ai-sdk/gadgets": "export const createIdGenerator = () => () => 7;",
  "@ai-sdk/keyed": `
    export const createKeyed = () => ({
      languageModel: () => ({
        specificationVersion: "v4",
        async doStream() {
          const message = "Keyed API key is missing. Pass it in 'apiKey' or KEYED_API_KEY.";
          throw Object.assign(new Error(message), { name: "AI_LoadAPIKeyError" });
        },
      }),
    });`,
};

const hooks = registerHooks({
  resolve(specifier, context, next) {
    const code = installed[specifier];
    if (code === undefined) return next(specifier, context);
    return { url: `data:text/javascript,${encodeURIComponent(code)}`, shortCircuit: true };
  },
});
after(() => hooks.deregister());

test("a provider whose package the user has installed is used, with the settings given", async () => {
  const model = await openModel("tiny-talk/big/model", {
    env: {},
    apiKey: "k",
    baseUrl: "http://127.0.0.1:9/v1",
    headers: { "x-team": "blue" },
  });
  const said =
    '{"modelId":"big/model","apiKey":"k","baseURL":"http://127.0.0.1:9/v1","headers":{"x-team":"blue"}}';
  assert.deepEqual(await collect(model), [
    { type: "text-delta", text: said },
    {
      type: "item",
      item: {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: said, annotations: [] }],
        status: "completed",
      },
    },
    { type: "finish", reason: "stop" },
  ]);
});

test("a package for another version of the AI SDK is refused with what to install", async () => {
  await assert.rejects(openModel("oldish/m", { env: {} }), {
    code: "model-unknown",
    message: /speaks version v2 of the AI SDK and not v4.*npm install @ai-sdk\/oldish@latest/,
  });
});

test("a package that is no provider is refused", async () => {
  await assert.rejects(openModel("gadgets/m", { env: {} }), {
    code: "model-unknown",
    message: /which makes no models of language/,
  });
});

test("a key that only the package knows of is asked for by its name", async () => {
  const { code, message } = await failing(await openModel("keyed/m", { env: {} }));
  assert.equal(code, "model-unknown");
  assert.match(message, /KEYED_API_KEY/);
});
