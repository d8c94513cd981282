// the model → the log in the store → the tools → the two agents → the analyst
import { join } from "node:path";
import { Analyst } from "./agent/analyst.ts";
import type { AgentLimits } from "./agent/limits.ts";
import { Orchestrator } from "./agent/orchestrator.ts";
import { GloveboxError } from "./errors.ts";
import { Conversation } from "./history/conversation.ts";
import type { ConnectionSettings } from "./models/access.ts";
import type { Model, ModelSettings } from "./models/model.ts";
import { offlineAnalyst } from "./models/offline/offline-analyst.ts";
import { openModel } from "./models/open-model.ts";
import type { AgentEvent } from "./protocol/events.ts";
import type { HostMount } from "./session/host-mount.ts";
import type { Session } from "./session/session.ts";
import type { ConversationStore } from "./store/conversations.ts";
import type { Store } from "./store/store.ts";
import { EventBus } from "./support/event-bus.ts";
import { openTelemetry } from "./telemetry/telemetry.ts";
import { defineTool } from "./tools/define-tool.ts";
import { definedTools } from "./tools/defined-tool.ts";
import { loadTools } from "./tools/load-tools.ts";
import { saveNoteTool } from "./tools/save-note.ts";
import { searchNotesTool } from "./tools/search-notes.ts";
import type { Tool } from "./tools/tool.ts";

export interface AnalystOptions {
  readonly session: Session;
  /** A name, or a model of your own; without one GLOVEBOX_MODEL, or the offline analyst. */
  readonly model?: string | Model;
  /** The id of a conversation that goes on. */
  readonly conversation?: string;
  /** Host paths: a file is copied into the session, of a folder its tables and text files. */
  readonly files?: readonly string[];
  /** Host files among which the file agent chooses. */
  readonly mounts?: readonly HostMount[];
  /** Folders that files and mounts must be below. */
  readonly roots?: readonly string[];
  /** Tools of your own, or paths of modules that export some. */
  readonly tools?: readonly (Tool | string)[];
  readonly settings?: ModelSettings & ConnectionSettings;
  readonly limits?: Partial<AgentLimits>;
  readonly onLog?: (line: string) => void;
}

export interface AnalystHome {
  readonly home: string;
  readonly store: Store;
}

export async function composeAnalyst(
  { home, store }: AnalystHome,
  options: AnalystOptions,
): Promise<Analyst> {
  const { session, settings = {}, onLog } = options;
  const named = (name: string | undefined) =>
    openModel(name, { ...settingsFor(name, options), offline: offlineAnalyst });
  const model = typeof options.model === "object" ? options.model : await named(options.model);
  const conversation = await openConversation(store.conversations, options, model);
  const events = new EventBus<AgentEvent>((error) => onLog?.(`A listener failed: ${error}`));
  events.on(
    await openTelemetry({ file: join(home, "audit.jsonl"), session: session.id, ...given({ onLog }) }),
  );
  const { files, mounts, roots, limits } = options;
  const { temperature, topP, maxOutputTokens, reasoningEffort } = settings;
  const orchestrator = new Orchestrator({
    ...given({ files, mounts, roots, limits, onLog }),
    settings: given({ temperature, topP, maxOutputTokens, reasoningEffort }),
    model,
    session,
    conversation,
    events,
    tools: [
      saveNoteTool(store.notes),
      searchNotesTool(store.notes),
      ...(await ownTools(options.tools ?? [])),
    ],
  });
  const { tools: registry } = orchestrator;
  registry.add(defineTool({ store: store.definedTools, registry }));
  const taken = (name: string) => registry.get(name) !== undefined;
  for (const tool of await definedTools(store.definedTools, { taken, ...given({ onLog }) }))
    registry.add(tool);
  return new Analyst({ orchestrator, session, conversation, model, openModel: named });
}

/** A key and an address are one provider's; another that is asked later gets neither. */
function settingsFor(
  name: string | undefined,
  { model, settings = {} }: AnalystOptions,
): ModelSettings & ConnectionSettings {
  const providerOf = (whole: unknown) => (typeof whole === "string" ? whole.split("/")[0] : undefined);
  if (name === model || providerOf(name) === providerOf(model)) return settings;
  const { apiKey: _, baseUrl: __, headers: ___, ...others } = settings;
  return others;
}

async function ownTools(tools: readonly (Tool | string)[]): Promise<Tool[]> {
  const loaded = tools.map((tool) => (typeof tool === "string" ? loadTools(tool) : [tool]));
  return (await Promise.all(loaded)).flat();
}

/** The log of a conversation, which is in the store before anything is done about it. */
async function openConversation(
  store: ConversationStore,
  { conversation: id, session }: AnalystOptions,
  model: Model,
): Promise<Conversation> {
  if (id !== undefined && !(await store.get(id))) {
    throw new GloveboxError("usage", `There is no conversation "${id}"; leave it out to begin one.`);
  }
  let created = id !== undefined;
  const conversation: Conversation = new Conversation({
    ...given({ id }),
    items: id === undefined ? [] : await store.items(id),
    onAppend: async (items) => {
      if (!created) await store.create({ id: conversation.id, session: session.id, model: model.name });
      created = true;
      await store.append(conversation.id, items);
    },
    onTruncate: (length) => store.truncate(conversation.id, length),
  });
  return conversation;
}

/** Without what is not given: an absent option is not an undefined one. */
function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
