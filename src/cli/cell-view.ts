import type { CellEvent } from "../protocol/events.ts";
import type { CellResult, PythonResult } from "../protocol/result.ts";
import { SafeText } from "./safe-text.ts";
import { formatTable } from "./table.ts";
import type { Output, Terminal } from "./terminal.ts";

const NOTHING_PRINTED = "Code executed. No return value.";

/** One cell as a person sees it: output as it comes, then the value or the traceback, then what was said about it. */
export class CellView {
  readonly #terminal: Terminal;
  readonly #stdout: LiveStream;
  readonly #stderr: LiveStream;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#stdout = new LiveStream(terminal.stdout);
    this.#stderr = new LiveStream(terminal.stderr);
  }

  take(event: CellEvent): void {
    if (event.type === "stdout-delta") this.#stdout.take(event.text);
    if (event.type === "stderr-delta") this.#stderr.take(event.text);
  }

  finish(result: CellResult): void {
    this.#stdout.finish(this.#printed(result));
    this.#stderr.finish(result.stderr ?? "");
    const { stdout, stderr } = this.#terminal;
    if (result.kind === "object") stdout.line(safely(result.repr, stdout));
    if (result.kind === "dataframe") stdout.line(formatTable(result, stdout));
    if (result.kind === "error" && !endedWell(result)) stderr.line(traceback(result.traceback, stderr));
    if (result.notice) stderr.line(stderr.paint("dim", SafeText.whole(result.notice)));
  }

  #printed(result: CellResult): string {
    if (result.kind !== "text") return result.stdout ?? "";
    return result.text === NOTHING_PRINTED && this.#stdout.shown === 0 ? "" : result.text;
  }
}

/** A script that calls sys.exit() or sys.exit(0) has not failed. */
export function endedWell(result: PythonResult): boolean {
  if (result.kind !== "error") return true;
  return result.name === "SystemExit" && /(?:^|\n)SystemExit(?:: (?:0|None|False))?$/.test(result.traceback);
}

class LiveStream {
  readonly #output: Output;
  readonly #safe: SafeText;
  shown = 0;

  constructor(output: Output) {
    this.#output = output;
    this.#safe = new SafeText({ colour: output.colour });
  }

  take(text: string): void {
    this.shown += text.length;
    this.#output.write(this.#safe.take(text));
  }

  /** Output beyond a bound is not streamed; the cut rest comes with the result. */
  finish(whole: string): void {
    this.#output.write(this.#safe.take(whole.slice(this.shown)) + this.#safe.end());
  }
}

function safely(text: string, output: Output): string {
  const safe = new SafeText({ colour: output.colour });
  return safe.take(text) + safe.end();
}

function traceback(text: string, stderr: Output): string {
  const safe = SafeText.whole(text);
  const last = safe.lastIndexOf("\n") + 1;
  return safe.slice(0, last) + stderr.paint("red", safe.slice(last));
}
