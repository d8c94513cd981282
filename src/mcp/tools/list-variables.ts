import { z } from "zod";
import { tool } from "../../tools/tool.ts";

const MOST_LISTED = 200;

export const listVariables = tool({
  name: "list_variables",
  description:
    "List the variables of the session: name, type, short representation, size, and shape where there is one.",
  parameters: z.strictObject({}),
  async run(_, { session }) {
    const variables = await session.variables();
    const left = variables.length - MOST_LISTED;
    return {
      message: {
        kind: "object",
        json: { variables: variables.slice(0, MOST_LISTED) },
        ...(left > 0
          ? { notice: `${left} more variables are not listed; dir() in python_repl names them.` }
          : {}),
      },
      value: variables,
      success: true,
    };
  },
});
