import { z } from "zod";
import { delimiterFor } from "../../support/delimited-data.ts";
import { type Tool, tool } from "../tool.ts";
import { firstLines } from "./first-lines.ts";
import type { HostView } from "./host-view.ts";

export function describeHostFile(view: HostView): Tool {
  return tool({
    name: "describe_host_file",
    description:
      "Describe a file of list_host_files: its size, its type and, where it is text, its encoding and first lines.",
    parameters: z.strictObject({
      path: z.string().describe("A path as list_host_files gives it."),
      lines: z.int().min(1).max(50).optional().describe("How many first lines to show; 5 unless given."),
    }),
    parallel: true,
    describe: ({ path }) => ({ intent: `Looking into ${path}` }),
    async run({ path, lines }, { signal, conversation }) {
      const file = await view.find(path, signal);
      const { text, ...found } = await firstLines(file, {
        signal,
        ...(lines === undefined ? {} : { lines }),
      });
      const shown =
        text === undefined
          ? {}
          : { first_lines: delimiterFor(conversation.id).wrap("first lines of a file", text) };
      return {
        message: { kind: "object", json: { path: file.path, bytes: file.bytes, ...found, ...shown } },
        value: { ...file, ...found, ...(text === undefined ? {} : { text }) },
        success: true,
      };
    },
  });
}
