import type { AnalystRequest } from "./analyst-flags.ts";
import { type Highlight, loadHighlight, plainCode } from "./highlight.ts";
import { openPictures } from "./pictures/pictures.ts";
import type { Terminal } from "./terminal.ts";
import type { TurnLook } from "./turn/turn-look.ts";

export type ScreenParts = Pick<TurnLook, "highlight" | "pictures">;

/** What the screen can: colours and pictures. */
export async function screenParts({
  request,
  terminal,
}: {
  readonly request: Pick<AnalystRequest, "images">;
  readonly terminal: Terminal;
}): Promise<ScreenParts> {
  const { stdout, stderr } = terminal;
  const [highlight, pictures] = await Promise.all([
    stdout.colour || stderr.colour ? loadHighlight() : plainCode,
    openPictures(request.images, terminal),
  ]);
  return { highlight: onlyInColour(highlight, terminal), pictures };
}

/** A painter without colours makes the work of a highlighter vain. */
function onlyInColour(highlight: Highlight, { stdout, stderr }: Terminal): Highlight {
  const coloured = [stdout, stderr].filter((output) => output.colour).map((output) => output.paint);
  return (code, language, paint) => (coloured.includes(paint) ? highlight(code, language, paint) : code);
}
