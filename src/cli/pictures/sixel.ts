import { PNG } from "pngjs";
import { image2sixel } from "sixel";
import { cellsFor, type Size } from "./draw.ts";

const MOST_PIXELS = 16_000_000;
const CELL_PIXELS = 9;
const COLOURS = 256;
const WHITE = 255;

/** The bytes that draw a PNG on a terminal that takes sixels; undefined for one that cannot be read. */
export function drawSixel(png: Uint8Array, size: Size, columns: number): string | undefined {
  if (size.width * size.height > MOST_PIXELS) return undefined;
  try {
    const picture = PNG.sync.read(Buffer.from(png));
    const width = Math.min(picture.width, cellsFor(size, columns).columns * CELL_PIXELS);
    const height = Math.max(1, Math.round((picture.height * width) / picture.width));
    return image2sixel(scaled(picture, { width, height }), width, height, COLOURS);
  } catch {
    return undefined;
  }
}

/** Every pixel is the mean of those it stands for, on white paper. */
function scaled(from: { width: number; height: number; data: Uint8Array }, to: Size): Uint8Array {
  const out = new Uint8Array(to.width * to.height * 4);
  for (let y = 0; y < to.height; y++) {
    const [top, bottom] = range(y, to.height, from.height);
    for (let x = 0; x < to.width; x++) {
      const [left, right] = range(x, to.width, from.width);
      const sum = [0, 0, 0];
      for (let row = top; row < bottom; row++) {
        for (let column = left; column < right; column++) {
          const at = (row * from.width + column) * 4;
          const alpha = (from.data[at + 3] ?? WHITE) / WHITE;
          for (let channel = 0; channel < 3; channel++) {
            sum[channel] = (sum[channel] ?? 0) + (from.data[at + channel] ?? 0) * alpha + WHITE * (1 - alpha);
          }
        }
      }
      const count = (bottom - top) * (right - left);
      const target = (y * to.width + x) * 4;
      for (let channel = 0; channel < 3; channel++)
        out[target + channel] = Math.round((sum[channel] ?? 0) / count);
      out[target + 3] = WHITE;
    }
  }
  return out;
}

function range(at: number, of: number, length: number): [start: number, end: number] {
  const start = Math.floor((at * length) / of);
  return [start, Math.max(start + 1, Math.floor(((at + 1) * length) / of))];
}
