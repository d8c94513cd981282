// events of a turn → what is finished is written for good, what is not is redrawn in place → the answer → what it cost
import type { TurnResult } from "../../agent/agent.ts";
import type { AgentEvent } from "../../protocol/events.ts";
import type { CellResult } from "../../protocol/result.ts";
import type { Style } from "../colour.ts";
import { LiveArea } from "../live-area.ts";
import { fileLink } from "../markdown/links.ts";
import { hyperlink } from "../markdown/spans.ts";
import { bytesInWords, countOf } from "../quantities.ts";
import { oneLine, SafeText } from "../safe-text.ts";
import type { Output, Terminal } from "../terminal.ts";
import { wrapWords } from "../word-wrap.ts";
import { AnswerText } from "./answer-text.ts";
import { CallView } from "./call-view.ts";
import { costInWords } from "./cost-words.ts";
import { endingInWords } from "./ending-words.ts";
import { Spinner } from "./spinner.ts";
import type { TurnLook } from "./turn-look.ts";

const FRAME_MS = 100;
const MOST_FILES = 10;

/** One turn as a person sees it. Steps and cells go to stderr, the answer goes to stdout. */
export class TurnView implements Disposable {
  readonly #terminal: Terminal;
  readonly #look: TurnLook;
  readonly #steps: Output;
  readonly #live: { readonly area: LiveArea; readonly showsAnswer: boolean } | undefined;
  readonly #answer: AnswerText;
  readonly #spinner: Spinner;
  readonly #calls = new Map<string, CallView>();
  readonly #ended = new Set<string>();
  readonly #startedAt: number;
  readonly #timer: NodeJS.Timeout;
  #reasoning = "";
  #stopping = "";
  #last: "nothing" | "step" | "text" = "nothing";

  constructor(terminal: Terminal, look: TurnLook) {
    const { stdout, stderr } = terminal;
    this.#terminal = terminal;
    this.#look = look;
    this.#steps = stderr;
    const screen = [stderr, stdout].find((output) => output.canRedraw);
    this.#live = screen && {
      area: new LiveArea(screen),
      showsAnswer: screen === stdout || screen.sharesScreenWith(stdout),
    };
    this.#answer = new AnswerText(terminal, look);
    this.#spinner = new Spinner(screen ?? stderr, look.now);
    this.#spinner.doing("Thinking");
    this.#startedAt = look.now();
    this.#timer = setInterval(() => this.draw(), FRAME_MS).unref();
  }

  take(event: AgentEvent): void {
    switch (event.type) {
      case "turn-start":
        this.#endAside();
        break;
      case "stage-start":
        this.#endAside();
        this.#spinner.doing(event.title);
        this.#say("dim", `[${event.stage}/${event.of}] ${oneLine(event.title)}`);
        break;
      case "step-start":
        this.#reasoning = "";
        this.#spinner.doing("Thinking");
        break;
      case "reasoning-delta":
        this.#reasoning = `${this.#reasoning}${event.text}`.slice(-2000);
        this.#spinner.doing("Thinking", this.#reasoning.trim().split("\n").at(-1)?.trim() ?? "");
        break;
      case "text-delta":
        if (this.#answer.said === "" && event.text.trim() === "") break;
        this.#spinner.doing("Writing");
        if (this.#terminal.stdout.isTerminal) this.#apart("text");
        this.#answer.take(event.text);
        break;
      case "notice":
        this.#say("dim", SafeText.whole(event.text));
        break;
      case "call-start":
      case "tool-start":
        this.#endAside();
        this.#inCall(event);
        break;
      default:
        if ("callId" in event) this.#inCall(event);
    }
  }

  /** Draws what is not finished; called by a clock, and by whoever has another. */
  draw(): void {
    if (!this.#live) return;
    const { area, showsAnswer } = this.#live;
    const running = [...this.#calls.values()].filter((call) => this.#spinner.isDue(call.startedAt));
    const calls = this.#steps.canRedraw ? running.flatMap((call) => call.live(this.#spinner.frame)) : [];
    const tail = showsAnswer ? this.#answer.tail.map((line) => this.#terminal.stdout.paint("dim", line)) : [];
    const alone = this.#calls.size === 0 && this.#steps.canRedraw && this.#spinner.isDue();
    const spinner = alone ? [this.#spinner.line()] : [];
    const stopping = this.#stopping === "" ? [] : [this.#steps.paint("dim", this.#stopping)];
    const apart = tail.length > 0 && this.#last === "step" ? [""] : [];
    area.draw([...apart, ...tail, ...calls, ...spinner, ...stopping]);
  }

  finish(turn: TurnResult): void {
    this.#close();
    if (turn.answer.trim() !== "" && this.#terminal.stdout.isTerminal) this.#apart("text");
    this.#answer.finish(turn.answer);
    const words = endingInWords(turn.reason);
    if (words) this.#say("yellow", words, { apart: true });
    const tookMs = this.#look.now() - this.#startedAt;
    this.#say("dim", costInWords({ ...turn, tookMs }), { apart: true });
  }

  /** The user has asked to stop; what runs may take a moment. */
  stopping(words: string): void {
    this.#stopping = words;
    if (this.#live) this.draw();
    else this.#say("dim", words);
  }

  /** What was said before something went wrong stays. */
  [Symbol.dispose](): void {
    this.#close();
    this.#endAside();
  }

  #inCall(event: AgentEvent & { readonly callId: string }): void {
    if (this.#ended.has(event.callId)) return;
    const call = this.#call(event.callId, "tool" in event ? event.tool : "");
    call.take(event);
    if (!call.ended) {
      if (!this.#steps.canRedraw) this.#write(call.news());
      return;
    }
    this.#calls.delete(event.callId);
    this.#ended.add(event.callId);
    this.#write(this.#steps.canRedraw ? call.final() : call.news());
    if (call.cell) this.#showFiles(call.cell);
    this.#spinner.doing("Reading the result");
  }

  #call(callId: string, tool: string): CallView {
    const known = this.#calls.get(callId);
    if (known) return known;
    const call = new CallView(callId, tool, this.#look, this.#steps);
    this.#calls.set(callId, call);
    return call;
  }

  #showFiles(result: CellResult): void {
    const { paint, canRedraw, colour } = this.#steps;
    const { stdout, stderr } = this.#terminal;
    const screen = stderr.isTerminal ? stderr : stdout;
    for (const { file } of this.#look.pictures ? (result.images ?? []) : []) {
      const png = this.#look.readFile(file);
      const drawn = png && this.#look.pictures?.draw(png, screen.columns);
      if (drawn && screen.isTerminal) screen.write(drawn);
    }
    const files = result.files ?? [];
    for (const { path, bytes } of files.slice(0, MOST_FILES)) {
      const saved = this.#look.locate(path);
      const shown = oneLine(saved ?? path);
      const linked = saved && canRedraw && colour ? hyperlink(fileLink(saved), shown) : shown;
      this.#steps.line(`  → ${linked} ${paint("dim", bytesInWords(bytes))}`);
    }
    if (files.length > MOST_FILES) {
      this.#steps.line(paint("dim", `  → and ${countOf(files.length - MOST_FILES, "more file")}`));
    }
  }

  #endAside(): void {
    if (this.#answer.said !== "") this.#answer.endAside();
  }

  /** Whatever was still running when the turn ended was stopped. */
  #close(): void {
    clearInterval(this.#timer);
    this.#live?.area.clear();
    for (const call of this.#calls.values()) {
      call.stop();
      this.#write(this.#steps.canRedraw ? call.final() : call.news());
    }
    this.#calls.clear();
  }

  #write(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#apart("step");
    for (const line of lines) this.#steps.line(line);
  }

  #say(style: Style, words: string, options: { apart?: boolean } = {}): void {
    if (options.apart && this.#last === "step") this.#last = "text";
    const { columns, paint } = this.#steps;
    this.#write(wrapWords(words, columns - 1).map((line) => paint(style, line)));
  }

  /** An empty line between steps and text, where both are on one screen. */
  #apart(next: "step" | "text"): void {
    const { stdout, stderr } = this.#terminal;
    const oneScreen = stdout.sharesScreenWith(stderr);
    if (this.#last !== "nothing" && this.#last !== next && oneScreen) this.#steps.line("");
    this.#last = next;
  }
}
