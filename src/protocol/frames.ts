import { GloveboxError } from "../errors.ts";

export interface Frame {
  readonly header: { readonly type: string; readonly [field: string]: unknown };
  readonly payload: Uint8Array;
}

const LENGTHS_BYTES = 8;
const MAX_HEADER_BYTES = 8 << 20;
const MAX_PAYLOAD_BYTES = 16 << 20;

const EMPTY = new Uint8Array(0);
const strictText = new TextDecoder("utf-8", { fatal: true });

/** u32 header length, u32 payload length, JSON header, raw payload; big-endian. */
export function encodeFrame(header: Frame["header"], payload: Uint8Array = EMPTY): Buffer {
  const head = Buffer.from(JSON.stringify(header), "utf8");
  if (head.length > MAX_HEADER_BYTES || payload.length > MAX_PAYLOAD_BYTES) {
    throw new GloveboxError(
      "kernel-protocol",
      `A frame of ${head.length} + ${payload.length} bytes is over the limit; send it in smaller parts.`,
    );
  }
  const frame = Buffer.allocUnsafe(LENGTHS_BYTES + head.length + payload.length);
  frame.writeUInt32BE(head.length, 0);
  frame.writeUInt32BE(payload.length, 4);
  head.copy(frame, LENGTHS_BYTES);
  frame.set(payload, LENGTHS_BYTES + head.length);
  return frame;
}

/** Takes bytes as they come and gives whole frames; throws on what cannot be one. */
export class FrameDecoder {
  #chunks: Buffer[] = [];
  #bytes = 0;

  *feed(data: Buffer): Generator<Frame> {
    this.#chunks.push(data);
    this.#bytes += data.length;
    for (let frame = this.#next(); frame; frame = this.#next()) yield frame;
  }

  #next(): Frame | undefined {
    if (this.#bytes < LENGTHS_BYTES) return undefined;
    if ((this.#chunks[0]?.length ?? 0) < LENGTHS_BYTES) this.#join();
    const first = this.#chunks[0] as Buffer;
    const headBytes = first.readUInt32BE(0);
    const payloadBytes = first.readUInt32BE(4);
    if (headBytes > MAX_HEADER_BYTES || payloadBytes > MAX_PAYLOAD_BYTES) {
      throw new GloveboxError(
        "kernel-protocol",
        `The kernel announced a frame of ${headBytes} + ${payloadBytes} bytes, over the limit; its session is ended.`,
      );
    }
    const end = LENGTHS_BYTES + headBytes + payloadBytes;
    if (this.#bytes < end) return undefined;
    const whole = this.#join();
    const start = LENGTHS_BYTES + headBytes;
    const frame = {
      header: parseHeader(whole.subarray(LENGTHS_BYTES, start)),
      payload: whole.subarray(start, end),
    };
    this.#chunks = end < whole.length ? [whole.subarray(end)] : [];
    this.#bytes -= end;
    return frame;
  }

  #join(): Buffer {
    const whole = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }
}

function parseHeader(bytes: Uint8Array): Frame["header"] {
  let header: unknown;
  try {
    header = JSON.parse(strictText.decode(bytes));
  } catch (cause) {
    throw new GloveboxError("kernel-protocol", "A frame's header is not JSON; its session is ended.", {
      cause,
    });
  }
  if (
    typeof header !== "object" ||
    header === null ||
    !("type" in header) ||
    typeof header.type !== "string"
  ) {
    throw new GloveboxError(
      "kernel-protocol",
      "A frame's header is not an object with a type; its session is ended.",
    );
  }
  return header as Frame["header"];
}
