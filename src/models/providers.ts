/** What a provider is known for. Everything that depends on which one it is stands in this table. */
export interface Provider {
  readonly name: string;
  readonly speaks: "responses" | "chat" | "ai-sdk";
  /** Environment variables that hold its key; the first counts most. */
  readonly keyVariables: readonly string[];
  readonly needsKey: boolean;
  readonly baseUrlVariables: readonly string[];
  readonly needsBaseUrl?: boolean;
  /** A variable that holds a host and port instead of a URL. */
  readonly hostVariable?: string;
  readonly baseUrl?: string;
  /** How its server is started, where users run it themselves. */
  readonly start?: string;
  /** A name that its models go by. */
  readonly example: string;
  /** Whether it is OpenAI's own dialect, or one of those that servers have in common. */
  readonly ownDialect?: boolean;
  /** How a list of its models is asked for. */
  readonly listing?: "openai" | "anthropic" | "google";
}

function localServer(name: string, port: number, own: { start: string; example: string }): Provider {
  const variable = name.toUpperCase();
  return {
    name,
    speaks: "chat",
    keyVariables: [`${variable}_API_KEY`],
    needsKey: false,
    baseUrlVariables: [`${variable}_BASE_URL`],
    baseUrl: `http://127.0.0.1:${port}/v1`,
    listing: "openai",
    ...own,
  };
}

const openai: Provider = {
  name: "openai",
  speaks: "responses",
  keyVariables: ["OPENAI_API_KEY"],
  needsKey: true,
  baseUrlVariables: ["OPENAI_BASE_URL"],
  baseUrl: "https://api.openai.com/v1",
  example: "gpt-5.1",
  ownDialect: true,
  listing: "openai",
};

export const providers: readonly Provider[] = [
  openai,
  { ...openai, name: "openai-chat", speaks: "chat" },
  {
    name: "anthropic",
    speaks: "ai-sdk",
    keyVariables: ["ANTHROPIC_API_KEY"],
    needsKey: true,
    baseUrlVariables: ["ANTHROPIC_BASE_URL"],
    baseUrl: "https://api.anthropic.com/v1",
    example: "claude-sonnet-4-5",
    listing: "anthropic",
  },
  {
    name: "google",
    speaks: "ai-sdk",
    keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    needsKey: true,
    baseUrlVariables: ["GOOGLE_GENERATIVE_AI_BASE_URL"],
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    example: "gemini-2.5-pro",
    listing: "google",
  },
  {
    name: "mistral",
    speaks: "ai-sdk",
    keyVariables: ["MISTRAL_API_KEY"],
    needsKey: true,
    baseUrlVariables: ["MISTRAL_BASE_URL"],
    baseUrl: "https://api.mistral.ai/v1",
    example: "mistral-large-latest",
    listing: "openai",
  },
  {
    ...localServer("ollama", 11434, { start: '"ollama serve"', example: "qwen3-coder" }),
    hostVariable: "OLLAMA_HOST",
  },
  localServer("lmstudio", 1234, { start: '"lms server start"', example: "openai/gpt-oss-20b" }),
  localServer("vllm", 8000, { start: '"vllm serve MODEL"', example: "Qwen/Qwen3-32B" }),
  localServer("llamacpp", 8080, { start: '"llama-server -m MODEL.gguf --jinja"', example: "default" }),
  {
    name: "openai-compatible",
    speaks: "chat",
    keyVariables: ["OPENAI_COMPATIBLE_API_KEY"],
    needsKey: false,
    baseUrlVariables: ["OPENAI_COMPATIBLE_BASE_URL"],
    needsBaseUrl: true,
    example: "MODEL",
    listing: "openai",
  },
];

/** A provider of the AI SDK that this table does not know; its package knows its keys and its address. */
export function otherProvider(name: string): Provider {
  return {
    name,
    speaks: "ai-sdk",
    keyVariables: [],
    needsKey: false,
    baseUrlVariables: [],
    example: "MODEL",
  };
}
