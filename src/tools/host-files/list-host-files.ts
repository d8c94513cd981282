import { z } from "zod";
import { type Tool, tool } from "../tool.ts";
import type { HostView } from "./host-view.ts";
import { matchesName } from "./name-pattern.ts";

const MOST_LISTED = 100;
const MOST_NAME_CHARACTERS = 4_000;

export function listHostFiles(view: HostView): Tool {
  return tool({
    name: "list_host_files",
    description:
      "List the files of the user's machine that may be read: their paths and sizes. No other files can be reached.",
    parameters: z.strictObject({
      pattern: z
        .string()
        .max(200)
        .optional()
        .describe("Only paths that contain this text; * stands for any characters, ? for one."),
    }),
    parallel: true,
    describe: () => ({ intent: "Looking at the files there are" }),
    async run({ pattern }, { signal }) {
      const all = await view.files({ signal });
      const files = all.filter(({ path }) => pattern === undefined || matchesName(path, pattern));
      const listed: { path: string; bytes: number }[] = [];
      let characters = 0;
      for (const { path, bytes } of files) {
        characters += path.length;
        if (listed.length === MOST_LISTED || characters > MOST_NAME_CHARACTERS) break;
        listed.push({ path, bytes });
      }
      const rest = files.length - listed.length;
      const notice = rest > 0 ? { notice: `${rest} more; narrow the pattern to see them.` } : {};
      return {
        message: { kind: "object", json: { files: listed, total: files.length }, ...notice },
        value: files,
        success: true,
      };
    },
  });
}
