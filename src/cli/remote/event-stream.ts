import { GloveboxError } from "../../errors.ts";

const MOST_EVENT_CHARACTERS = 256 << 20;

/** The data of each server-sent event, in order; comments and names are left out. */
export async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  let size = 0;
  for await (const line of linesOf(body)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      data = [];
      size = 0;
    }
    if (!line.startsWith("data:")) continue;
    size += line.length;
    if (size > MOST_EVENT_CHARACTERS) throw tooLong();
    data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
  }
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let size = 0;
  for await (const bytes of body) {
    const pieces = decoder.decode(bytes, { stream: true }).split("\n");
    for (const [at, piece] of pieces.entries()) {
      parts.push(piece);
      size += piece.length;
      if (size > MOST_EVENT_CHARACTERS) throw tooLong();
      if (at === pieces.length - 1) break;
      yield parts.join("").replace(/\r$/, "");
      parts = [];
      size = 0;
    }
  }
}

function tooLong(): GloveboxError {
  return new GloveboxError("model-protocol", "The server sent an event that is too long to be read.");
}
