import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { usageOf } from "../../src/protocol/usage.ts";
import { codeInterpreter, python, startTestServer } from "./response-server.ts";

const { client, script, post } = await startTestServer();

test("any model is answered from in the shape of a chat", async () => {
  const model = script({ text: "Hello.", usage: usageOf({ input: 10, output: 2, cached: 4, reasoning: 1 }) });
  const { id, created, _request_id, ...answer } = await client.chat.completions.create({
    model: "any",
    messages: [
      { role: "system", content: "Be kind." },
      { role: "user", content: "Hi" },
    ],
    temperature: 0.5,
    max_completion_tokens: 50,
  });
  assert.match(id, /^chatcmpl-[0-9a-f]+$/);
  assert.deepEqual(answer, {
    object: "chat.completion",
    model: "any",
    service_tier: "default",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "Hello.", refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: {
      prompt_tokens: 10,
      completion_tokens: 2,
      total_tokens: 12,
      prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 1,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
  });
  const [request] = model.requests;
  assert.deepEqual([request?.temperature, request?.maxOutputTokens, request?.tools], [0.5, 50, []]);
  assert.deepEqual(
    request?.input.map((item) => item.type === "message" && item.role),
    ["system", "user"],
  );
});

test("tools are the client's own: their calls go out, and their answers come back in", async () => {
  const tools = [
    { type: "function" as const, function: { name: "weather", parameters: { type: "object" } } },
  ];
  const messages: ChatCompletionMessageParam[] = [{ role: "user", content: "Weather?" }];
  script({ calls: [{ name: "weather", arguments: { city: "Rome" }, callId: "call_1" }] });
  const first = await client.chat.completions.create({ model: "any", messages, tools });
  const [choice] = first.choices;
  assert.equal(choice?.finish_reason, "tool_calls");
  assert.deepEqual(choice?.message.tool_calls, [
    { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } },
  ]);
  assert.ok(choice);
  const model = script("Sunny.");
  await client.chat.completions.create({
    model: "any",
    messages: [...messages, choice.message, { role: "tool", tool_call_id: "call_1", content: "sun" }],
    tools,
  });
  assert.deepEqual(model.requests[0]?.input.slice(1), [
    { type: "function_call", call_id: "call_1", name: "weather", arguments: '{"city":"Rome"}' },
    { type: "function_call_output", call_id: "call_1", output: "sun" },
  ]);
});

test("the stream helper of the openai package makes the same of the pieces", async () => {
  script({
    text: "I ask.",
    calls: [{ name: "weather", arguments: { city: "Rome" }, callId: "call_1" }],
    usage: usageOf({ input: 3, output: 4 }),
  });
  const stream = client.chat.completions.stream({
    model: "any",
    messages: [{ role: "user", content: "Weather?" }],
    tools: [{ type: "function", function: { name: "weather", parameters: { type: "object" } } }],
    stream_options: { include_usage: true },
  });
  const final = await stream.finalChatCompletion();
  const [choice] = final.choices;
  assert.equal(choice?.message.content, "I ask.");
  assert.equal(choice?.finish_reason, "tool_calls");
  const [call] = choice?.message.tool_calls ?? [];
  assert.equal(call?.type === "function" && call.function.arguments, '{"city":"Rome"}');
  assert.equal(final.usage?.total_tokens, 7);
});

test("a client that knows only chat gets Python by a tool or by the model's name, and its variables stay", async () => {
  const asked = [{ model: "any", tools: [codeInterpreter] }, { model: "any+python" }];
  for (const how of asked) {
    const messages: { role: string; content: string }[] = [
      { role: "user", content: `Set x (${how.model}).` },
    ];
    script(python("x = 20\nx + 1", { text: "Let me see." }), "It is [here](sandbox:/mnt/data/x).");
    const first = (await (await post("/chat/completions", { ...how, messages })).json()) as {
      choices: { message: { content: string } }[];
      glovebox: { code_interpreter_calls: { outputs: unknown; container_id: string }[] };
    };
    assert.equal(first.choices[0]?.message.content, "Let me see.\n\nIt is [here](sandbox:/mnt/data/x).");
    assert.deepEqual(first.glovebox.code_interpreter_calls[0]?.outputs, [{ type: "logs", logs: "21" }]);
    messages.push({ role: "assistant", content: first.choices[0]?.message.content ?? "" });
    messages.push({ role: "user", content: "And now?" });
    script(python("x"), "Twenty.");
    const second = (await (await post("/chat/completions", { ...how, messages })).json()) as typeof first;
    assert.deepEqual(second.glovebox.code_interpreter_calls[0]?.outputs, [{ type: "logs", logs: "20" }]);
  }
});

test("people who say the same through one key have each their own Python, where the client tells them apart", async () => {
  interface Answer {
    readonly glovebox: { readonly code_interpreter_calls: readonly { readonly container_id: string }[] };
  }
  const ask = async (user: string, messages: object[]) => {
    const answer = await post("/chat/completions", { model: "any+python", user, messages });
    return ((await answer.json()) as Answer).glovebox.code_interpreter_calls[0]?.container_id;
  };
  const first = [{ role: "user", content: "Load my sales." }];
  const next = [...first, { role: "assistant", content: "Loaded." }, { role: "user", content: "Go on." }];
  const used: (string | undefined)[] = [];
  for (const [user, messages] of [
    ["ann", first],
    ["ben", first],
    ["ann", next],
    ["ben", next],
  ] as const) {
    script(python("1"), "Loaded.");
    used.push(await ask(user, messages));
  }
  const [ann, ben, ...later] = used;
  assert.notEqual(ann, ben);
  assert.deepEqual(later, [ann, ben]);
});

test("a model that fails in the middle of a stream is an error to the client", async () => {
  script({ text: "Half", error: new Error("boom") });
  const stream = await client.chat.completions.create({
    model: "any",
    messages: [{ role: "user", content: "go" }],
    stream: true,
  });
  await assert.rejects(async () => {
    for await (const _ of stream) {
      // Read to its end.
    }
  }, /The server had an error/);
});

test("what is not offered is refused by its name", async () => {
  const messages = [{ role: "user", content: "x" }];
  const refused = await Promise.all(
    [{ n: 2 }, { stop: ["."] }, { logprobs: true }, { functions: [] }].map(async (body) => {
      const answer = await post("/chat/completions", { messages, ...body });
      const { error } = (await answer.json()) as { error: { param: string } };
      return [answer.status, error.param];
    }),
  );
  assert.deepEqual(refused, [
    [400, "n"],
    [400, "stop"],
    [400, "logprobs"],
    [400, "functions"],
  ]);
});
