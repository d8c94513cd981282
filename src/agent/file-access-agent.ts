import type { Conversation } from "../history/conversation.ts";
import type { Model, ModelSettings } from "../models/model.ts";
import type { AgentEvent } from "../protocol/events.ts";
import type { HostMount } from "../session/host-mount.ts";
import type { Session } from "../session/session.ts";
import type { EventBus } from "../support/event-bus.ts";
import { hostFileTools } from "../tools/host-files/host-file-tools.ts";
import { SessionCopies } from "../tools/host-files/session-copies.ts";
import { ToolRegistry } from "../tools/registry.ts";
import { Agent, type AskOptions, type TurnResult } from "./agent.ts";
import { FILE_ACCESS_INSTRUCTIONS } from "./instructions.ts";
import type { AgentLimits } from "./limits.ts";

export interface FileAccessAgentParts {
  readonly model: Model;
  readonly session: Session;
  /** Its own: calls of its tools have no place in the other agent's. */
  readonly conversation: Conversation;
  readonly mounts: readonly HostMount[];
  /** Folders that the mounts must be below. */
  readonly roots?: readonly string[];
  readonly copies?: SessionCopies;
  readonly limits?: Partial<AgentLimits>;
  readonly settings?: ModelSettings;
  readonly events?: EventBus<AgentEvent>;
  readonly onLog?: (line: string) => void;
}

export interface FileAccessResult {
  /** For the other agent, which must take it as data: the model that wrote it has read untrusted files. */
  readonly context: string;
  readonly turn: TurnResult;
}

const STEPS = 12;

/** Looks at host files through its mounts, describes them and copies them into the session. It cannot run code. */
export class FileAccessAgent {
  readonly #agent: Agent;

  constructor({ mounts, roots, copies, limits, ...parts }: FileAccessAgentParts) {
    this.#agent = new Agent({
      ...parts,
      name: "file-access",
      instructions: FILE_ACCESS_INSTRUCTIONS,
      limits: { steps: STEPS, ...limits },
      tools: new ToolRegistry(
        hostFileTools({
          mounts,
          ...(roots ? { roots } : {}),
          copies: copies ?? new SessionCopies(parts.session),
        }),
      ),
    });
  }

  useModel(model: Model): void {
    this.#agent.useModel(model);
  }

  async task(instruction: string, options: AskOptions = {}): Promise<FileAccessResult> {
    const turn = await this.#agent.ask(instruction, options);
    return { context: turn.answer, turn };
  }
}
