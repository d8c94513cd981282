import { z } from "zod";
import { type Tool, tool } from "../tool.ts";
import type { HostView } from "./host-view.ts";
import { SessionCopies } from "./session-copies.ts";

export interface CopyToSessionParts {
  readonly view: HostView;
  /** Those of the calling session where a program keeps them over several turns. */
  readonly copies?: SessionCopies;
}

export function copyToSession({ view, copies }: CopyToSessionParts): Tool {
  return tool({
    name: "copy_to_session",
    description:
      "Copy a file of list_host_files into /mnt/data of the Python session, where it can be analysed. The original is never changed.",
    parameters: z.strictObject({
      path: z.string().describe("A path as list_host_files gives it."),
      name: z.string().max(400).optional().describe("Its name below /mnt/data; its own path unless given."),
    }),
    describe: ({ path }) => ({ intent: `Copying ${path} into the session` }),
    async run({ path, name }, { session, signal }) {
      const file = await view.find(path, signal);
      const copy = await (copies ?? new SessionCopies(session)).copy(file, {
        signal,
        ...(name === undefined ? {} : { name }),
      });
      return {
        message: { kind: "object", json: { path: copy.path, bytes: file.bytes } },
        value: copy,
        success: true,
      };
    },
  });
}
