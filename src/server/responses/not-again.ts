import { WireError } from "../wire-error.ts";

/** SDKs ask again by themselves after a 5xx; a response that has begun may have run code, which must not run twice. */
export function notAgain(error: WireError): WireError {
  const { status, message, type, code, param, cause } = error;
  const headers = { ...error.headers, "x-should-retry": "false" };
  return new WireError({ status, message, type, code, param, headers, cause });
}
