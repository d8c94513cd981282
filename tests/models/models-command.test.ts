import assert from "node:assert/strict";
import { test } from "node:test";
import { glovebox } from "../cli/glovebox.ts";
import { type Answer, WireServer } from "../support/wire-server.ts";

const CLOSED = await closedUrl();
const nobody = {
  GLOVEBOX_MODEL: undefined,
  OPENAI_API_KEY: undefined,
  OPENAI_BASE_URL: undefined,
  ANTHROPIC_API_KEY: undefined,
  ANTHROPIC_BASE_URL: undefined,
  GOOGLE_GENERATIVE_AI_API_KEY: undefined,
  GOOGLE_GENERATIVE_AI_BASE_URL: undefined,
  GEMINI_API_KEY: undefined,
  MISTRAL_API_KEY: undefined,
  MISTRAL_BASE_URL: undefined,
  OLLAMA_HOST: undefined,
  OLLAMA_API_KEY: undefined,
  OLLAMA_BASE_URL: CLOSED,
  LMSTUDIO_BASE_URL: CLOSED,
  VLLM_BASE_URL: CLOSED,
  LLAMACPP_BASE_URL: CLOSED,
  OPENAI_COMPATIBLE_BASE_URL: undefined,
  OPENAI_COMPATIBLE_API_KEY: undefined,
};
const list = (...ids: string[]): Answer => ({
  json: { object: "list", data: ids.map((id) => ({ id, object: "model" })) },
});

/** Where nobody listens. */
async function closedUrl(): Promise<string> {
  const server = await WireServer.open();
  await server[Symbol.asyncDispose]();
  return `${server.url}/v1`;
}

interface State {
  readonly name: string;
}

async function survey(env: Record<string, string | undefined>) {
  const { status, stdout, stderr } = await glovebox(["models", "--json"], { env: { ...nobody, ...env } });
  const told = JSON.parse(stdout) as { default: unknown; providers: State[] };
  const of = (name: string) => told.providers.find((state) => state.name === name);
  return { status, stderr, told, of };
}

test("without anything set up there is the offline analyst, and every other says what it needs", async () => {
  const { status, stderr, told, of } = await survey({});
  assert.deepEqual(
    { status, stderr, default: told.default },
    { status: 0, stderr: "", default: { name: "offline", from: "built-in" } },
  );
  assert.deepEqual(
    told.providers.map(({ name }) => name),
    [
      "offline",
      "openai",
      "openai-chat",
      "anthropic",
      "google",
      "mistral",
      "ollama",
      "lmstudio",
      "vllm",
      "llamacpp",
      "openai-compatible",
    ],
  );
  const bare = { base_url: null, problem: null, models: [], model_count: 0 };
  assert.deepEqual(of("openai"), {
    name: "openai",
    configured: false,
    answers: null,
    fix: "set OPENAI_API_KEY",
    ...bare,
  });
  assert.deepEqual(of("ollama"), {
    ...bare,
    name: "ollama",
    configured: true,
    answers: false,
    base_url: CLOSED,
    problem: "no answer, ECONNREFUSED",
    fix: 'start it with "ollama serve", or set OLLAMA_BASE_URL',
  });
});

test("whoever is configured is asked in its own way, once", async () => {
  const server = await WireServer.open();
  server
    .route("/v1/models", list("gpt-5.1", "gpt-5.1-mini"))
    .route("/claude/models?limit=1000", list("claude-sonnet-4-5"))
    .route("/google/models?pageSize=1000", { json: { models: [{ name: "models/gemini-2.5-pro" }] } })
    .route("/ollama/models", { json: { object: "list", data: null } });
  const { told, of } = await survey({
    GLOVEBOX_MODEL: "openai/gpt-5.1",
    OPENAI_API_KEY: "k-openai",
    OPENAI_BASE_URL: `${server.url}/v1`,
    ANTHROPIC_API_KEY: "k-claude",
    ANTHROPIC_BASE_URL: `${server.url}/claude`,
    GEMINI_API_KEY: "k-google",
    GOOGLE_GENERATIVE_AI_BASE_URL: `${server.url}/google`,
    OLLAMA_BASE_URL: `${server.url}/ollama`,
  });
  assert.deepEqual(told.default, { name: "openai/gpt-5.1", from: "GLOVEBOX_MODEL" });
  const well = { configured: true, answers: true, problem: null, fix: null };
  const openai = {
    ...well,
    base_url: `${server.url}/v1`,
    models: ["gpt-5.1", "gpt-5.1-mini"],
    model_count: 2,
  };
  assert.deepEqual(
    [of("openai"), of("openai-chat"), of("anthropic"), of("google"), of("ollama")],
    [
      { name: "openai", ...openai },
      { name: "openai-chat", ...openai },
      {
        name: "anthropic",
        ...well,
        base_url: `${server.url}/claude`,
        models: ["claude-sonnet-4-5"],
        model_count: 1,
      },
      {
        name: "google",
        ...well,
        base_url: `${server.url}/google`,
        models: ["gemini-2.5-pro"],
        model_count: 1,
      },
      { name: "ollama", ...well, base_url: `${server.url}/ollama`, models: [], model_count: 0 },
    ],
  );
  const keys = server.requests
    .map(({ path, headers }) => [
      path,
      headers["x-api-key"] ?? headers["x-goog-api-key"] ?? headers.authorization,
    ])
    .sort();
  assert.deepEqual(keys, [
    ["/claude/models?limit=1000", "k-claude"],
    ["/google/models?pageSize=1000", "k-google"],
    ["/ollama/models", "Bearer none"],
    ["/v1/models", "Bearer k-openai"],
  ]);
});

test("a refused key, nonsense and a long list are each told for what they are", async () => {
  const server = await WireServer.open();
  const many = Array.from({ length: 250 }, (_, at) => `m${at}`);
  server
    .route("/v1/models", { status: 401, json: { error: { message: "no" } } })
    .route("/vllm/models", { headers: { "content-type": "text/html" }, pieces: ["<html>"] })
    .route("/lm/models", list(...many));
  const { told, of } = await survey({
    GLOVEBOX_MODEL: "antropic/claude",
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: `${server.url}/v1`,
    VLLM_BASE_URL: `${server.url}/vllm`,
    LMSTUDIO_BASE_URL: `${server.url}/lm`,
  });
  const brief = (name: string) => {
    const { answers, problem, fix, models, model_count } = of(name) as unknown as Record<string, unknown>;
    return { answers, problem, fix, named: (models as string[]).length, model_count };
  };
  assert.deepEqual(
    [brief("openai"), brief("vllm"), brief("lmstudio")],
    [
      {
        answers: false,
        problem: "the key is refused (401)",
        fix: "check OPENAI_API_KEY",
        named: 0,
        model_count: 0,
      },
      {
        answers: false,
        problem: "an answer that is no list of models",
        fix: "check VLLM_BASE_URL",
        named: 0,
        model_count: 0,
      },
      { answers: true, problem: null, fix: null, named: 200, model_count: 250 },
    ],
  );
  assert.deepEqual(told.default, {
    name: "antropic/claude",
    from: "GLOVEBOX_MODEL",
    problem: 'There is no provider "antropic"; did you mean anthropic/…?',
  });
});

test("people get a table that shows what to do, and no name that misleads their terminal", async () => {
  const server = await WireServer.open();
  server.route("/v1/models", list("qwen3-coder", "evil\u001b]52;c;aGk=\u0007"));
  const { status, stdout, stderr } = await glovebox(["models"], {
    env: { ...nobody, OLLAMA_BASE_URL: `${server.url}/v1`, COLUMNS: "100" },
  });
  assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
  assert.deepEqual(stdout.split("\n").slice(0, 3), [
    "✓ offline            the built-in analyst; needs no key and no network",
    "– openai             not configured",
    "                     → set OPENAI_API_KEY",
  ]);
  assert.match(stdout, /^✓ ollama {13}2 models: qwen3-coder, evil␛\]52;c;aGk=␇$/m);
  assert.ok(stdout.includes(`\n✗ vllm               ${CLOSED}: no answer, ECONNREFUSED\n`), stdout);
  assert.match(stdout, /^Default: offline \(GLOVEBOX_MODEL=provider\/model sets another\)$/m);
});
