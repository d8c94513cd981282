import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Model } from "../../src/models/model.ts";
import { openModel } from "../../src/models/open-model.ts";
import { dataEvents, namedEvents, WireServer } from "../support/wire-server.ts";
import { collect } from "./collect.ts";

const offlineModel: Model = { name: "offline", provider: "offline", async *stream() {} };
const offline = () => offlineModel;

const named: [name: string, env: NodeJS.ProcessEnv, message: RegExp][] = [
  [
    "gpt-5.1",
    {},
    /^"gpt-5.1" is no model's name; write provider\/model, for example openai\/gpt-5.1 or ollama/,
  ],
  ["openai", {}, /^"openai" names no model; write openai\/MODEL, for example openai\/gpt-5.1\.$/],
  ["ollama/", {}, /^"ollama\/" names no model; write ollama\/MODEL, for example ollama\/qwen3-coder\.$/],
  ["antropic/claude", {}, /^There is no provider "antropic"; did you mean anthropic\/…\?$/],
  ["olama/qwen3", {}, /^There is no provider "olama"; did you mean ollama\/…\?$/],
  ["ofline", {}, /^There is no model "ofline"; did you mean offline\?$/],
  [
    "openai/gpt-5.1",
    {},
    /^openai\/gpt-5.1 is not configured: set OPENAI_API_KEY\. "glovebox models" shows what is/,
  ],
  ["openai/gpt-5.1", { OPENAI_API_KEY: " " }, /is not configured: set OPENAI_API_KEY\./],
  ["anthropic/claude-sonnet-4-5", {}, /is not configured: set ANTHROPIC_API_KEY\./],
  ["google/gemini-2.5-pro", {}, /is not configured: set GOOGLE_GENERATIVE_AI_API_KEY\./],
  ["mistral/mistral-large-latest", {}, /is not configured: set MISTRAL_API_KEY\./],
  ["openai-compatible/m", {}, /is not configured: set OPENAI_COMPATIBLE_BASE_URL, or give --base-url URL\./],
  ["frobnicate/m", {}, /npm install @ai-sdk\/frobnicate@latest /],
  ["../../etc/passwd", {}, /is no model's name/],
];

for (const [name, env, message] of named) {
  test(`${JSON.stringify(name)} is unknown, with what to write or set`, async () => {
    await assert.rejects(openModel(name, { env }), { code: "model-unknown", message });
  });
}

test("what is named counts before GLOVEBOX_MODEL, and that before offline", async () => {
  const env = { GLOVEBOX_MODEL: "ollama/qwen3" };
  const names = [
    await openModel("vllm/a/b", { env, offline }),
    await openModel(undefined, { env, offline }),
    await openModel(" ", { env, offline }),
    await openModel(undefined, { env: {}, offline }),
    await openModel("offline", { env, offline }),
  ].map((model) => [model.name, model.provider]);
  assert.deepEqual(names, [
    ["vllm/a/b", "vllm"],
    ["ollama/qwen3", "ollama"],
    ["ollama/qwen3", "ollama"],
    ["offline", "offline"],
    ["offline", "offline"],
  ]);
});

test("without an offline analyst somebody has to be named", async () => {
  await assert.rejects(openModel(undefined, { env: {} }), {
    code: "model-unknown",
    message: /set GLOVEBOX_MODEL/,
  });
});

for (const [settings, message] of [
  [{ timeoutMs: 0 }, /The model's timeoutMs is not usable/],
  [{ timeoutMs: 900_000 }, /The model's timeoutMs is not usable/],
  [{ retries: -1 }, /The model's retries is not usable/],
  [{ temperature: 9 }, /The model's temperature is not usable/],
  [
    { baseUrl: "localhost" },
    /The base URL "localhost" of ollama is not one; give one like http:\/\/127.0.0.1:11434\/v1\./,
  ],
  [{ baseUrl: "file:///etc" }, /is not one/],
] as const) {
  test(`${JSON.stringify(settings)} is wrong use`, async () => {
    await assert.rejects(openModel("ollama/m", { env: {}, ...settings }), { code: "usage", message });
  });
}

const said = dataEvents({
  id: "c",
  choices: [{ index: 0, delta: { content: "42" }, finish_reason: "stop" }],
});
const responded = namedEvents({ type: "response.completed", response: { output: [] } });

for (const [provider, variable] of [
  ["ollama", "OLLAMA_BASE_URL"],
  ["lmstudio", "LMSTUDIO_BASE_URL"],
  ["vllm", "VLLM_BASE_URL"],
  ["llamacpp", "LLAMACPP_BASE_URL"],
  ["openai-compatible", "OPENAI_COMPATIBLE_BASE_URL"],
  ["openai-chat", "OPENAI_BASE_URL"],
  ["openai", "OPENAI_BASE_URL"],
] as const) {
  test(`${provider} is found where ${variable} says, with its own key`, async () => {
    const server = await WireServer.open();
    const responses = provider === "openai";
    server.answer({ pieces: responses ? responded : said });
    const key =
      provider.startsWith("openai") && provider !== "openai-compatible" ? "OPENAI" : variable.slice(0, -9);
    const env = { [variable]: `${server.url}/v1/`, [`${key}_API_KEY`]: "k-1" };
    await collect(await openModel(`${provider}/org/model`, { env }));
    const { path, headers, body } = server.requests[0] ?? assert.fail();
    assert.deepEqual(
      [path, headers.authorization, (body as { model: string }).model],
      [responses ? "/v1/responses" : "/v1/chat/completions", "Bearer k-1", "org/model"],
    );
  });
}

test("OLLAMA_HOST is understood as Ollama does", async () => {
  const server = await WireServer.open();
  server.answer({ pieces: said });
  await collect(
    await openModel("ollama/m", { env: { OLLAMA_HOST: server.url.replace("http://127.0.0.1", "0.0.0.0") } }),
  );
  assert.equal(server.requests[0]?.path, "/v1/chat/completions");
});

test("opening a model reads no provider's code before it is needed", async () => {
  const file = fileURLToPath(new URL("../../src/models/open-model.ts", import.meta.url));
  const script = `
    import { registerHooks } from "node:module";
    const asked = [];
    registerHooks({ resolve(specifier, context, next) { asked.push(specifier); return next(specifier, context); } });
    const { openModel } = await import(${JSON.stringify(file)});
    const of = () => asked.filter((name) => /^(openai|@ai-sdk)/.test(name)).map((name) => name.split("/").slice(0, 2).join("/"));
    const before = of();
    await openModel("openai/m", { env: { OPENAI_API_KEY: "k" } });
    const opened = of();
    await openModel("mistral/m", { env: { MISTRAL_API_KEY: "k" } });
    const loaded = [...new Set(of())].filter((name) => !name.includes("provider"));
    console.log(JSON.stringify({ before, opened, loaded }));`;
  const flags = ["--disable-warning=ExperimentalWarning", "--input-type=module-typescript", "-e", script];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  assert.deepEqual(JSON.parse(stdout), { before: [], opened: [], loaded: ["@ai-sdk/mistral"] });
});
