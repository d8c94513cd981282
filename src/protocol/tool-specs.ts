export type JsonSchema = Readonly<Record<string, unknown>>;

/** A function that a model may call, as the Responses API declares it. */
export interface FunctionSpec {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly strict: boolean;
}

/** A tool that the model's provider runs itself; sent as it is. */
export interface HostedSpec {
  readonly type: "code_interpreter";
  readonly container: string | Readonly<Record<string, unknown>>;
}

export type ToolSpec = FunctionSpec | HostedSpec;

/** The same function as Chat Completions declares it. */
export interface ChatFunctionSpec {
  readonly type: "function";
  readonly function: Omit<FunctionSpec, "type">;
}

export function chatSpec({ type, ...declared }: FunctionSpec): ChatFunctionSpec {
  return { type, function: declared };
}

export type ToolChoice =
  | "auto"
  | "none"
  | "required"
  | { readonly type: "function"; readonly name: string }
  | { readonly type: "code_interpreter" };
