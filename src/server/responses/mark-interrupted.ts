import type { ResponseStore } from "../../store/responses.ts";
import { responseObject } from "./response-object.ts";
import { INTERRUPTED } from "./response-run.ts";

/** What an earlier server was at when it was killed has come to its end: it failed, with the items that were done. */
export async function markInterrupted(responses: ResponseStore): Promise<void> {
  for (const { id, body } of await responses.unfinished()) {
    const failed = { ...body, status: "failed", error: INTERRUPTED };
    const last = (await responses.events(id, -1)).at(-1)?.sequence;
    await responses.update(id, { status: "failed", body: failed });
    if (last === undefined) continue;
    const output = (await responses.output(id)).map(({ item }) => item);
    const event = {
      type: "response.failed",
      response: responseObject(failed, output),
      sequence_number: last + 1,
    };
    await responses.addEvents(id, [{ sequence: last + 1, event }]);
  }
}
