import { GloveboxError } from "../errors.ts";
import type { Conversation } from "../history/conversation.ts";
import { turnsOf } from "../history/window.ts";
import type { Model } from "../models/model.ts";
import type { Mark } from "../session/marks.ts";
import type { Session } from "../session/session.ts";
import type { AskOptions, TurnResult } from "./agent.ts";
import type { Orchestrator } from "./orchestrator.ts";

export interface AnalystParts {
  readonly orchestrator: Orchestrator;
  readonly session: Session;
  readonly conversation: Conversation;
  readonly model: Model;
  readonly openModel: (name: string) => Promise<Model>;
}

interface TurnStart {
  readonly items: number;
  readonly mark: Mark | undefined;
}

/** Answers questions about files, turn after turn, and takes turns back. */
export class Analyst {
  readonly conversation: Conversation;
  readonly session: Session;
  readonly #parts: AnalystParts;
  readonly #starts: TurnStart[] = [];
  #model: Model;
  #work: Promise<unknown> = Promise.resolve();

  constructor(parts: AnalystParts) {
    this.#parts = parts;
    this.conversation = parts.conversation;
    this.session = parts.session;
    this.#model = parts.model;
  }

  get model(): { readonly name: string; readonly provider: string } {
    return { name: this.#model.name, provider: this.#model.provider };
  }

  /** One after the other: a turn is taken back whole, and never while it runs. */
  ask(question: string, options: AskOptions = {}): Promise<TurnResult> {
    return this.#afterOthers(() => this.#ask(question, options));
  }

  async #ask(question: string, options: AskOptions): Promise<TurnResult> {
    const start = { items: this.conversation.items.length, mark: await this.#mark() };
    try {
      return await this.#parts.orchestrator.ask(question, options);
    } finally {
      if (this.conversation.items.length > start.items) this.#starts.push(start);
      else if (start.mark) await this.session.unmark(start.mark).catch(() => {});
    }
  }

  /** From the next question on. */
  async useModel(model: string | Model): Promise<void> {
    const next = typeof model === "string" ? await this.#parts.openModel(model) : model;
    this.#parts.orchestrator.useModel(next);
    this.#model = next;
  }

  /** Takes the last turn back: what was said and what it did to the variables. Undefined when there is none. */
  undo(): Promise<string | undefined> {
    return this.#afterOthers(() => this.#undo());
  }

  async #undo(): Promise<string | undefined> {
    const start = this.#starts.pop() ?? this.#lastTurnOfTheLog();
    if (!start) return undefined;
    const variables = await this.#putBack(start.mark);
    await this.conversation.truncate(start.items);
    return `The last question and its answer are taken back. ${variables}`;
  }

  #afterOthers<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => {});
    return result;
  }

  /** A turn of an earlier process has no mark. */
  #lastTurnOfTheLog(): TurnStart | undefined {
    const { items } = this.conversation;
    const last = turnsOf(items).at(-1);
    return last && { items: items.length - last.length, mark: undefined };
  }

  async #putBack(mark: Mark | undefined): Promise<string> {
    if (!mark) return "The variables stay as they are: there is no copy of them from before it.";
    try {
      return (await this.session.returnTo(mark)).notice;
    } catch (error) {
      if (!(error instanceof GloveboxError)) throw error;
      return `The variables stay as they are: ${error.message}`;
    }
  }

  /** Without one the turn can still be asked, only its variables not be put back. */
  async #mark(): Promise<Mark | undefined> {
    try {
      return await this.session.mark();
    } catch (error) {
      if (error instanceof GloveboxError && error.code === "variables") return undefined;
      throw error;
    }
  }
}
