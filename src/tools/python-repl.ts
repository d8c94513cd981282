import { z } from "zod";
import type { CellResult } from "../protocol/result.ts";
import { runCell } from "./run-cell.ts";
import { tool } from "./tool.ts";

const FENCED =
  /^\s*(?<fence>```+|~~~+)[ \t]*(?:(?:python3?|py|ipython|pycon)[ \t]*)?\r?\n(?<code>[\s\S]*?)\r?\n?\k<fence>\s*$/i;

export const pythonRepl = tool({
  name: "python_repl",
  description:
    "Run Python in a persistent, sandboxed session. Variables, imports and files stay from call to call. The value of the last " +
    "expression is returned, so leave out print where you can. pandas is pd, numpy is np, matplotlib.pyplot is plt; figures are " +
    "shown to the user. Files are in /mnt/data, the working folder. There is no network and no pip.",
  parameters: z.strictObject({
    intent: z.string().optional().describe("One short line that tells the user what this code does."),
    code: z.string().describe("The Python code."),
  }),
  streamed: "code",
  describe: ({ intent, code }) => ({ ...(intent ? { intent } : {}), code: withoutFence(code) }),
  async run({ code }, context) {
    const result = await runCell(withoutFence(code), context);
    return { message: forModel(result), value: result, success: result.kind !== "error" };
  },
});

/** Models like to wrap code as they would in chat; everything else goes in as it is. */
export function withoutFence(code: string): string {
  return FENCED.exec(code)?.groups?.code ?? code;
}

/** Rich representations are for people; a model reads the plain result. */
export function forModel({ displays: _, ...result }: CellResult): Record<string, unknown> {
  return result;
}
