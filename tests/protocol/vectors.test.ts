import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { encodeFrame, type Frame, FrameDecoder } from "../../src/protocol/frames.ts";
import { parseKernelMessage } from "../../src/protocol/messages.ts";

const vectors = JSON.parse(await readFile(new URL("../vectors/protocol.json", import.meta.url), "utf8"));
const decode = (bytes: Buffer): Frame[] => [...new FrameDecoder().feed(bytes)];

for (const { name, header, payload, bytes } of vectors.frames) {
  test(`a frame with ${name} is written and read as the vector says`, () => {
    assert.equal(encodeFrame(header, Buffer.from(payload, "hex")).toString("hex"), bytes);
    const [frame] = decode(Buffer.from(bytes, "hex"));
    assert.deepEqual(frame?.header, header);
    assert.equal(Buffer.from(frame?.payload ?? []).toString("hex"), payload);
  });
}

test("frames come whole from any cut of the stream", () => {
  const stream = Buffer.concat(
    vectors.frames.map((vector: { bytes: string }) => Buffer.from(vector.bytes, "hex")),
  );
  for (const size of [1, 3, 7, 8, 50]) {
    const decoder = new FrameDecoder();
    const headers: unknown[] = [];
    for (let start = 0; start < stream.length; start += size) {
      for (const frame of decoder.feed(stream.subarray(start, start + size))) headers.push(frame.header);
    }
    assert.deepEqual(
      headers,
      vectors.frames.map((vector: { header: unknown }) => vector.header),
    );
  }
});

for (const { name, bytes } of vectors.broken) {
  test(`${name} ends the stream`, () => {
    assert.throws(() => decode(Buffer.from(bytes, "hex")), { code: "kernel-protocol" });
  });
}

test("what the kernel may say is taken, and nothing else", () => {
  const parse = (header: Frame["header"]) => parseKernelMessage({ header, payload: new Uint8Array() });
  for (const header of vectors.fromKernel.valid) assert.deepEqual(parse(header), header);
  for (const header of vectors.fromKernel.invalid) {
    assert.throws(() => parse(header), { code: "kernel-protocol" }, JSON.stringify(header));
  }
});
