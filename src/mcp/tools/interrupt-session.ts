import { z } from "zod";
import { tool } from "../../tools/tool.ts";

export const interruptSession = tool({
  name: "interrupt_session",
  description:
    "Stop the code that runs in the session. Its variables and files stay. Nothing happens when nothing runs.",
  parameters: z.strictObject({}),
  parallel: true,
  async run(_, { session }) {
    await session.interrupt();
    return { message: { kind: "object", json: { interrupted: true } }, value: undefined, success: true };
  },
});
