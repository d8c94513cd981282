import { GloveboxError } from "../errors.ts";
import { type AnalystRequest, analystFlags, readAnalystRequest } from "./analyst-flags.ts";
import { readArguments } from "./arguments.ts";
import { type AskWords, sortWords } from "./ask-words.ts";
import { type RemoteServer, readRemoteServer, remoteFlags } from "./remote/remote-flags.ts";

export const formats = ["md", "csv", "json"] as const;
export type Format = (typeof formats)[number];

export type AskRequest = AnalystRequest &
  AskWords & {
    readonly format: Format;
    /** Answers in our place. */
    readonly server: RemoteServer | undefined;
  };

const flags = {
  ...analystFlags,
  ...remoteFlags,
  json: { type: "boolean" },
  format: { type: "string" },
} as const;

export function readAskRequest(args: string[]): AskRequest {
  const given = readArguments("ask", args, flags);
  const request = readAnalystRequest(given);
  const format = given.has("json") ? "json" : readFormat(given.value("format"));
  const server = readRemoteServer(given, { ...request, format });
  return { ...request, format, server, ...sortWords(given.words()) };
}

function readFormat(text: string | undefined): Format {
  const format = formats.find((one) => one === (text ?? "md"));
  if (format) return format;
  throw new GloveboxError("usage", `--format is ${JSON.stringify(text)}; give one of ${formats.join(", ")}.`);
}
