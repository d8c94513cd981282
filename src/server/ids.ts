import { randomBytes } from "node:crypto";

export type IdPrefix =
  | "resp_"
  | "msg_"
  | "ci_"
  | "fc_"
  | "rs_"
  | "cmp_"
  | "cntr_"
  | "cfile_"
  | "file-"
  | "conv_"
  | "chatcmpl-"
  | "key_"
  | "req_";

const RANDOM_BYTES = 24;

/** An id with the prefix that OpenAI's clients expect; nobody guesses another one's. */
export function newId(prefix: IdPrefix): string {
  return prefix + randomBytes(RANDOM_BYTES).toString("hex");
}
