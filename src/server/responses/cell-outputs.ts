import type { CellResult } from "../../protocol/result.ts";
import type { Session } from "../../session/session.ts";

export type CallOutput =
  | { readonly type: "logs"; readonly logs: string }
  | { readonly type: "image"; readonly url: string };

const MOST_IMAGE_BYTES = 8 << 20;
const MOST_IMAGES = 20;

/** What a cell came to as a REPL shows it: what it printed, its last value, its traceback; then its figures. */
export async function cellOutputs(
  result: CellResult,
  session: Session,
  revived: string | undefined,
): Promise<CallOutput[]> {
  const outputs: CallOutput[] = [];
  const logs = logsOf(result, revived);
  if (logs !== "") outputs.push({ type: "logs", logs });
  for (const { file, mime } of (result.images ?? []).slice(0, MOST_IMAGES)) {
    const bytes = await session.files.get(file).catch(() => undefined);
    if (!bytes || bytes.length > MOST_IMAGE_BYTES) continue;
    outputs.push({ type: "image", url: `data:${mime};base64,${bytes.toString("base64")}` });
  }
  return outputs;
}

function logsOf(result: CellResult, revived: string | undefined): string {
  const lines = [revived, ...printed(result)];
  // Of a revival the session and the container speak both; once is enough.
  if (result.notice && !(revived && result.notice.includes("variables are lost")))
    lines.push(`[${result.notice}]`);
  return lines
    .filter((line) => line !== undefined && line !== "")
    .map((line) => (line as string).replace(/\n$/, ""))
    .join("\n");
}

function printed(result: CellResult): (string | undefined)[] {
  const { stdout, stderr } = result;
  switch (result.kind) {
    case "text":
      return [result.text === NOTHING ? undefined : result.text, stdout, stderr];
    case "error":
      return [stdout, stderr, result.traceback || `${result.name}: ${result.message}`];
    default:
      return [stdout, stderr, result.repr];
  }
}

const NOTHING = "Code executed. No return value.";
