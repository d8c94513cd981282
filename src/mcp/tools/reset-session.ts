import { z } from "zod";
import type { Session } from "../../session/session.ts";
import { type Tool, tool } from "../../tools/tool.ts";

export function resetSessionTool(reset: (session: Session) => Promise<void>): Tool {
  return tool({
    name: "reset_session",
    description:
      "Begin with a fresh Python: code that runs is ended, all variables are gone, the files in /mnt/data stay.",
    parameters: z.strictObject({}),
    parallel: true,
    async run(_, { session }) {
      await reset(session);
      return { message: { kind: "object", json: { reset: true } }, value: undefined, success: true };
    },
  });
}
