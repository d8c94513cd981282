import { z } from "zod";
import type { KernelLink } from "./kernel-link.ts";

export const CHUNK_BYTES: number = 1 << 20;
const Handle = z.object({ handle: z.number() });

/** Sends a file part by part, each after the one before has been taken. */
export async function upload(
  link: KernelLink,
  name: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { handle } = Handle.parse((await link.request({ type: "put", path: name })).value);
  try {
    for await (const part of bytes) {
      for (let start = 0; start < part.length; start += CHUNK_BYTES) {
        await link.request({ type: "put-next", handle }, part.subarray(start, start + CHUNK_BYTES));
      }
    }
  } catch (error) {
    await link.request({ type: "put-end", handle, keep: false }).catch(() => {});
    throw error;
  }
  await link.request({ type: "put-end", handle, keep: true });
}

/** Fetches a file part by part, each when the one before has been used. */
export async function* download(link: KernelLink, name: string): AsyncGenerator<Uint8Array> {
  const { handle } = Handle.parse((await link.request({ type: "get", path: name })).value);
  try {
    for (;;) {
      const { payload } = await link.request({ type: "get-next", handle });
      if (payload.length === 0) return;
      yield payload;
    }
  } finally {
    await link.request({ type: "get-end", handle }).catch(() => {});
  }
}
