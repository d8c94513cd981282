import { z } from "zod";
import { GloveboxError } from "../../errors.ts";
import type { Item } from "../../protocol/items.ts";
import type { HostedSpec } from "../../protocol/tool-specs.ts";
import type { ProviderCall, ProviderTool } from "../provider-tool.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { type CodeRun, codeRunResult, readCodeRuns } from "./code-run.ts";
import { type ContainerConfig, type ContainerInput, parseContainer } from "./container-config.ts";

const NoParameters = z.strictObject({});

export type CodeRunHandler = (
  run: CodeRun,
  context: ToolContext,
) => Promise<ToolResult<CodeRun>> | ToolResult<CodeRun>;

export interface CodeInterpreterOptions {
  readonly name?: string;
  readonly description?: string;
  readonly container: ContainerInput;
  /** Makes a result of what OpenAI gave; without it the printed text is the message. */
  readonly handleProviderOutput?: CodeRunHandler;
}

/** OpenAI's own `code_interpreter`: the model writes Python, and OpenAI runs it in a container of its own. */
export class OpenAICodeInterpreterTool
  implements ProviderTool<{ readonly container: ContainerConfig }, CodeRun, typeof NoParameters>
{
  readonly name: string;
  readonly description: string;
  readonly parameters = NoParameters;
  readonly provider = "openai";
  readonly config: { readonly container: ContainerConfig };
  /** Whether a handler was given, which needs the context of a turn. */
  readonly hasHandler: boolean;
  readonly #options: CodeInterpreterOptions;
  /** What the container was made from. */
  readonly #origin: ContainerInput | undefined;

  constructor(options: CodeInterpreterOptions, origin?: ContainerInput) {
    this.name = options.name ?? "openai_python";
    this.description =
      options.description ?? "Runs Python that the model writes, in a sandboxed container of OpenAI.";
    this.config = { container: parseContainer(options.container) };
    this.hasHandler = options.handleProviderOutput !== undefined;
    this.#options = options;
    this.#origin = origin;
  }

  get container(): ContainerConfig {
    return this.config.container;
  }

  hosted(): HostedSpec {
    const { container } = this;
    if (!("type" in container)) return { type: "code_interpreter", container: container.id };
    const { host_mounts: mounts = [], ...auto } = container;
    if (mounts.length > 0) {
      throw new GloveboxError(
        "provider-tool",
        `The files of ${mounts.map((mount) => `"${mount.hostPath}"`).join(", ")} are not in a container yet; open one with openHostedContainer and declare the tool that it gives.`,
      );
    }
    return { type: "code_interpreter", container: auto };
  }

  readProviderOutput(items: readonly Item[]): readonly ProviderCall<CodeRun>[] {
    return readCodeRuns(items);
  }

  handleProviderOutput(
    run: CodeRun,
    context: ToolContext,
  ): Promise<ToolResult<CodeRun>> | ToolResult<CodeRun> {
    return this.#options.handleProviderOutput?.(run, context) ?? codeRunResult(run);
  }

  /** Nothing on the host runs it: a model that calls it as a function is told so. */
  async run(): Promise<ToolResult<CodeRun>> {
    throw new GloveboxError(
      "tool",
      `"${this.name}" takes no calls: OpenAI runs it when the model writes Python for it.`,
    );
  }

  /** The same tool on another container. */
  withContainer(container: ContainerInput): OpenAICodeInterpreterTool {
    const origin = "type" in this.container ? this.container : this.#origin;
    return new OpenAICodeInterpreterTool({ ...this.#options, container }, origin);
  }

  /** The same tool on a container that is yet to be made, like the one it had. */
  renewed(): OpenAICodeInterpreterTool {
    const { container } = this;
    if ("type" in container) return this;
    return this.withContainer(this.#origin ?? { type: "auto", memory_limit: container.memory_limit });
  }

  /** The same tool with further uploaded files in its container. */
  withFiles(...fileIds: readonly string[]): OpenAICodeInterpreterTool {
    const { container } = this;
    if (!("type" in container)) {
      throw new GloveboxError(
        "provider-tool",
        `The container ${container.id} exists already; put files into it with attachFile.`,
      );
    }
    return this.withContainer({ ...container, file_ids: [...(container.file_ids ?? []), ...fileIds] });
  }
}
