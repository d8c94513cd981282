import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent } from "../../src/agent/agent.ts";
import { Conversation } from "../../src/history/conversation.ts";
import { type ScriptLine, scriptedModel } from "../../src/models/scripted.ts";
import { Item } from "../../src/protocol/items.ts";
import type { Session } from "../../src/session/session.ts";
import { OpenAICodeInterpreterTool } from "../../src/tools/openai-code-interpreter/tool.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";
import type { ToolContext } from "../../src/tools/tool.ts";
import { inSession, openTestBox } from "../support/box.ts";
import { codeCall, fileCitation, message } from "./recorded.ts";

const box = await openTestBox();

function agentOf(
  session: Session,
  tool: OpenAICodeInterpreterTool,
  script: ScriptLine[],
  provider = "openai",
) {
  const model = scriptedModel(script, { name: `${provider}/scripted`, provider });
  const conversation = new Conversation();
  const tools = new ToolRegistry([tool]);
  return {
    model,
    conversation,
    agent: new Agent({ name: "analyst", instructions: "Compute.", model, tools, session, conversation }),
  };
}

const plot = fileCitation({ file: "cfile_1", filename: "plot.png" });
const said = [codeCall({ id: "ci_1" }), message("It is 42.", [plot])].map((item) => Item.parse(item));

test("an agent declares the hosted tool and its turn has what the provider ran, citations included", () =>
  inSession(box, async (session) => {
    const seen: ToolContext[] = [];
    const tool = new OpenAICodeInterpreterTool({
      container: { type: "auto", memory_limit: "4g" },
      handleProviderOutput(run, context) {
        seen.push(context);
        return { message: run.stdout, value: run, success: true };
      },
    });
    const { agent, model, conversation } = agentOf(session, tool, [{ items: said }]);
    const turn = await agent.ask("What is 6 times 7?");
    assert.deepEqual(model.requests[0]?.tools, [
      { type: "code_interpreter", container: { type: "auto", memory_limit: "4g" } },
    ]);
    assert.equal(turn.answer, "It is 42.");
    assert.deepEqual(
      turn.hosted.map(({ callId, tool: name, result }) => ({ callId, name, message: result.message })),
      [{ callId: "ci_1", name: "openai_python", message: "42\n" }],
    );
    assert.deepEqual(
      seen.map((context) => [context.callId, context.session, context.conversation, context.prompt.agent]),
      [["ci_1", session, conversation, "analyst"]],
    );
    assert.deepEqual(conversation.items.slice(1), said);
  }));

test("an agent whose model is of another provider is refused the tool", () =>
  inSession(box, async (session) => {
    const tool = new OpenAICodeInterpreterTool({ container: { type: "auto" } });
    assert.throws(() => agentOf(session, tool, [], "anthropic"), {
      code: "provider-tool",
      message: /run by openai/,
    });
    const { agent } = agentOf(session, tool, []);
    assert.throws(() => agent.useModel(scriptedModel([], { provider: "mistral" })), {
      code: "provider-tool",
    });
  }));
