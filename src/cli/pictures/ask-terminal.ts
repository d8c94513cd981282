import type { ReadStream } from "node:tty";

const ESCAPE = "\x1b";
const QUESTION = `${ESCAPE}[c`;
const ANSWER = new RegExp(`${ESCAPE}\\[\\?([0-9;]*)c`);
const SIXEL = "4";
const DECIDE_MS = 50;
const LISTEN_MS = 1000;
const CTRL_C = "\x03";

export interface Asking {
  readonly input: ReadStream;
  readonly write: (text: string) => void;
}

/**
 * Asks a terminal whether it draws sixels. Whoever is slower than the decision is a "no"; its answer is still
 * waited for and swallowed, so that it does not show up as typed text.
 */
export async function takesSixels({ input, write }: Asking): Promise<boolean> {
  const wasRaw = input.isRaw;
  let heard = "";
  let finish = () => {};
  const answered = new Promise<boolean>((resolve) => {
    const stopListening = setTimeout(() => finish(), LISTEN_MS);
    const onData = (data: Buffer) => {
      // Whoever has the keyboard by now passes over a late answer itself.
      if (input.listenerCount("data") > 1) {
        finish();
        return;
      }
      heard += data.toString("latin1");
      if (heard.includes(CTRL_C)) process.kill(process.pid, "SIGINT");
      const answer = ANSWER.exec(heard);
      if (!answer && !heard.includes(CTRL_C)) return;
      heard = answer ? heard.replace(answer[0], "") : heard;
      resolve(answer?.[1]?.split(";").includes(SIXEL) ?? false);
      finish();
    };
    finish = () => {
      clearTimeout(stopListening);
      input.off("data", onData);
      resolve(false);
      if (input.listenerCount("data") > 0) return;
      input.pause();
      input.setRawMode(wasRaw);
      const typed = heard.replaceAll(CTRL_C, "");
      if (typed !== "") input.unshift(Buffer.from(typed, "latin1"));
    };
    input.setRawMode(true);
    input.on("data", onData);
    input.resume();
    write(QUESTION);
  });
  return Promise.race([answered, new Promise<boolean>((resolve) => setTimeout(resolve, DECIDE_MS, false))]);
}
