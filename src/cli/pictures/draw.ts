import type { Protocol } from "./protocol.ts";

export const MOST_PICTURE_BYTES = 8 << 20;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const KITTY_CHUNK = 4096;
const WIDEST_COLUMNS = 72;
// A character is about twice as high as it is wide.
const CELL_RATIO = 2;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How large a PNG says it is; undefined for what is none. */
export function pngSize(png: Uint8Array): Size | undefined {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (bytes.length < 24 || !SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length))) return undefined;
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  return size.width > 0 && size.height > 0 ? size : undefined;
}

/** Columns and rows that a picture of this size takes on a screen of this width. */
export function cellsFor({ width, height }: Size, columns: number): { columns: number; rows: number } {
  const across = Math.max(1, Math.min(columns - 2, WIDEST_COLUMNS));
  return { columns: across, rows: Math.max(1, Math.round((across * height) / width / CELL_RATIO)) };
}

/** The bytes that draw a PNG as it is. Only base64 of it reaches the terminal. */
export function drawEncoded(
  protocol: Exclude<Protocol, "sixel">,
  png: Uint8Array,
  cells: { columns: number },
): string {
  const data = Buffer.from(png).toString("base64");
  if (protocol === "iterm") {
    return `\x1b]1337;File=inline=1;size=${png.length};width=${cells.columns};preserveAspectRatio=1:${data}\x07`;
  }
  let out = "";
  for (let start = 0; start < data.length; start += KITTY_CHUNK) {
    const more = start + KITTY_CHUNK < data.length ? 1 : 0;
    const keys = start === 0 ? `a=T,f=100,q=2,c=${cells.columns},m=${more}` : `m=${more}`;
    out += `\x1b_G${keys};${data.slice(start, start + KITTY_CHUNK)}\x1b\\`;
  }
  return out;
}
