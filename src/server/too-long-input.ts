/** The words of providers for an input that is longer than the model takes. */
const WORDS = [
  /context_length_exceeded/i,
  /maximum context length/i,
  /(?:exceeds?|larger than|too large for|longer than) (?:the )?(?:available |model'?s? |maximum )*context/i,
  /context (?:window|length|size) (?:is |was )?exceeded/i,
  /(?:prompt|input) is too long/i,
  /input token count .{0,60}exceeds the maximum/i,
];

/** Whether a provider refused a request because its input is too long for the model. */
export function isTooLongInput(said: string): boolean {
  return WORDS.some((words) => words.test(said));
}
