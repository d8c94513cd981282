import { createInterface, type Interface } from "node:readline";
import { Readable } from "node:stream";
import type { WriteStream } from "node:tty";
import type { Paint } from "../colour.ts";
import type { Key } from "./keys.ts";
import { ReverseSearch } from "./reverse-search.ts";

export interface AskedParts {
  readonly output: WriteStream;
  readonly paint: Paint;
  readonly history: () => readonly string[];
  readonly complete: (line: string) => [matches: string[], word: string];
}

const CANCEL = "\x07";
// Text, or one key and the text after it.
const PIECES = /[^\p{Cc}]+|\p{Cc}[^\p{Cc}]*/gu;
const QUIT_HINT_MS = 2000;
// How a line end looks in a question that is recalled as one line.
const LINE_END = " ⏎ ";

/** The line that is being edited, as readline lets it be set, and the row of the prompt's that the cursor is in. */
type Editable = Interface & { line: string; cursor: number; prevRows: number };

/** One question while it is typed. */
export class AskedQuestion {
  readonly #parts: AskedParts;
  readonly #resolve: (question: string | undefined) => void;
  readonly #source = new Readable({ read() {} });
  readonly #editor: Editable;
  readonly #earlier: string[] = [];
  #search: ReverseSearch | undefined;
  #hint: NodeJS.Timeout | undefined;
  #joining = false;
  done = false;
  /** What came in one piece with the end of the question, after it. */
  unused = "";

  constructor(parts: AskedParts, resolve: (question: string | undefined) => void) {
    this.#parts = parts;
    this.#resolve = resolve;
    this.#editor = createInterface({
      input: this.#source,
      output: parts.output,
      terminal: true,
      history: parts.history().map(asOneLine).reverse(),
      historySize: 1000,
      removeHistoryDuplicates: true,
      completer: (line: string) => parts.complete(line),
    }) as Editable;
    this.#editor.on("line", (line) => this.#onLine(line));
    this.#showPrompt();
  }

  press(key: Key): void {
    if (this.done) return;
    if (key.type !== "interrupt") this.#takeHintBack();
    if (key.type === "text") this.#type(key.text);
    else if (key.type === "paste") this.#paste(key.text);
    else if (key.type === "search") this.#searchOn();
    else if (key.type === "newline") this.#joinNext();
    else if (key.type === "interrupt") this.#interrupt();
    else if (key.type === "end") this.#end();
  }

  refresh(): void {
    this.#editor.prompt(true);
  }

  quit(): void {
    this.#parts.output.write("\r\n");
    this.#finish(undefined);
  }

  close(): void {
    clearTimeout(this.#hint);
    this.done = true;
    this.#editor.close();
  }

  /** Only up to the end of the question: what comes after it is for the next one. */
  #type(text: string): void {
    const end = text.search(/[\r\n]/);
    const upTo = end < 0 ? text.length : end + (text.startsWith("\r\n", end) ? 2 : 1);
    if (this.#search) this.#typeInSearch(text.slice(0, upTo));
    else for (const [piece] of text.slice(0, upTo).matchAll(PIECES)) this.#feed(piece);
    if (upTo >= text.length) return;
    if (this.done) this.unused = text.slice(upTo);
    else this.#type(text.slice(upTo));
  }

  /** Text at the end of a line that wraps moves the cursor to a row that readline does not take note of. */
  #feed(keys: string): void {
    this.#source.emit("data", Buffer.from(keys));
    if (!this.done) this.#editor.prevRows = this.#editor.getCursorPos().rows;
  }

  #paste(text: string): void {
    this.#leaveSearch();
    const lines = text
      .replace(/\r\n?/g, "\n")
      .replace(/\t/g, "    ")
      .replace(/(?!\n)\p{Cc}/gu, "")
      .split("\n");
    for (const [at, line] of lines.entries()) {
      if (at > 0) this.#joinNext();
      if (line !== "") this.#feed(line);
    }
  }

  /** Ends the line but not the question. */
  #joinNext(): void {
    this.#leaveSearch();
    this.#joining = true;
    this.#editor.write(null as unknown as string, { name: "return" });
    this.#joining = false;
  }

  #onLine(line: string): void {
    if (this.done) return;
    const joined = this.#joining || /(?:^|[^\\])(?:\\\\)*\\$/.test(line);
    if (joined) {
      this.#earlier.push(this.#joining ? line : line.slice(0, -1));
      this.#showPrompt();
      return;
    }
    const question = [...this.#earlier, line].join("\n").replaceAll(LINE_END, "\n").trim();
    if (question === "") this.#showPrompt();
    else this.#finish(question);
  }

  #interrupt(): void {
    if (this.#search) {
      this.#leaveSearch("");
      return;
    }
    if (this.#editor.line !== "" || this.#earlier.length > 0) {
      this.#set("");
      this.#editor.cursor = 0;
      if (this.#earlier.length > 0) this.#parts.output.write("\r\n");
      this.#earlier.length = 0;
      this.#showPrompt();
      return;
    }
    if (this.#hint) {
      this.quit();
      return;
    }
    this.#hint = setTimeout(() => this.#takeHintBack(), QUIT_HINT_MS);
    const hint = this.#parts.paint("dim", "(Ctrl-C again or Ctrl-D to quit) ");
    this.#showPrompt(hint);
  }

  #takeHintBack(): void {
    if (!this.#hint) return;
    clearTimeout(this.#hint);
    this.#hint = undefined;
    if (!this.done) this.#showPrompt();
  }

  #end(): void {
    if (this.#search) this.#leaveSearch("");
    if (this.#editor.line === "") this.quit();
    else this.#feed("\x04");
  }

  #searchOn(): void {
    if (this.#search) this.#search.older();
    else this.#search = new ReverseSearch(this.#parts.history());
    this.#showSearch();
  }

  #typeInSearch(text: string): void {
    const search = this.#search;
    if (!search) return;
    if (text === CANCEL) {
      this.#leaveSearch("");
      return;
    }
    if (text === "\x7f" || text === "\b") search.erase();
    else if (!/\p{Cc}/u.test(text)) search.type(text);
    else {
      // Any other key takes what was found and then does what it does; escape only takes it.
      const [typed = ""] = /^[^\p{Cc}]*/u.exec(text) ?? [];
      if (typed !== "") search.type(typed);
      this.#leaveSearch();
      const rest = text.slice(typed.length);
      if (rest !== "\x1b" && rest !== "\t") this.#feed(rest);
      return;
    }
    this.#showSearch();
  }

  #showSearch(): void {
    const { query = "", match } = this.#search ?? {};
    const failing = query !== "" && match === undefined ? "nothing found" : "search";
    this.#set(asOneLine(match ?? ""));
    this.#editor.setPrompt(this.#parts.paint("dim", `(${failing} “${query}”) `));
    this.refresh();
  }

  #leaveSearch(line = asOneLine(this.#search?.match ?? this.#editor.line)): void {
    if (!this.#search) return;
    this.#search = undefined;
    this.#set(line);
    this.#showPrompt();
  }

  #set(line: string): void {
    this.#editor.line = line;
    this.#editor.cursor = line.length;
  }

  #showPrompt(hint = ""): void {
    const mark = this.#earlier.length > 0 ? "… " : "› ";
    this.#editor.setPrompt(hint + this.#parts.paint("bold", mark));
    this.refresh();
  }

  #finish(question: string | undefined): void {
    this.close();
    this.#resolve(question);
  }
}

function asOneLine(entry: string): string {
  return entry.replaceAll("\n", LINE_END);
}
