import assert from "node:assert/strict";
import { test } from "node:test";
import { redactor } from "../../src/telemetry/redact.ts";
import { inTime } from "../tools/in-time.ts";

const redact = redactor({});
const MEGABYTE = 1 << 20;

/** Beginnings of secrets that never become one, or become one again and again. */
const beginnings = [
  "eyJ-",
  "eyJaaaaaaaa.",
  "a.eyJ",
  "a.",
  "sk-",
  "-----BEGIN ",
  "-----BEGIN PRIVATE KEY-----",
  'password="',
  "token\\\\\\",
  "authorization:",
  "bearer ",
  "a://",
  "aa://a:a",
  "secret_access_key",
  "xoxb-",
];

for (const beginning of beginnings) {
  test(`A megabyte of ${JSON.stringify(beginning)}, as a cell may print it, does not keep the host busy`, () => {
    const printed = beginning.repeat(MEGABYTE / beginning.length);
    assert.equal(typeof inTime(() => redact(printed)), "string");
  });
}

test("A signed token is found behind other words, and takes the rest of its word along", () => {
  const token = `eyJ${"aB3".repeat(6)}.${"aB3".repeat(9)}.${"aB3".repeat(12)}`;
  assert.equal(
    redact(`id-${token} x=${token}, /v1/a.b.${token}.json "${token}" eyJust.a eyJustAWordLikeThis`),
    'id-[redacted] x=[redacted], /v1/a.b.[redacted] "[redacted]" eyJust.a eyJustAWordLikeThis',
  );
});
