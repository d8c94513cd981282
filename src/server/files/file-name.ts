import { WireError } from "../wire-error.ts";

/** What file systems take, and what a header of a download has room for. */
const MOST_BYTES = 255;

/** Sessions keep no file whose name is not plain text, so that none is taken here. */
const CONTROLS = /\p{Cc}/u;

export function checkFileName(name: string): void {
  if (Buffer.byteLength(name) > MOST_BYTES) throw refused(`is longer than ${MOST_BYTES} bytes`);
  if (CONTROLS.test(name)) throw refused("has control characters in it");
}

function refused(why: string): WireError {
  return new WireError({
    status: 400,
    message: `The file's name ${why}; give it another one.`,
    param: "file",
    code: "invalid_value",
  });
}
