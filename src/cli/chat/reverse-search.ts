/** A search backwards through what was asked before, as Ctrl-R does it in a shell. */
export class ReverseSearch {
  readonly #entries: readonly string[];
  #query = "";
  #at: number;

  /** The oldest entry first. */
  constructor(entries: readonly string[]) {
    this.#entries = entries;
    this.#at = entries.length - 1;
  }

  get query(): string {
    return this.#query;
  }

  get match(): string | undefined {
    return this.#query === "" ? undefined : this.#entries[this.#at];
  }

  type(text: string): void {
    this.#query += text;
    this.#find(this.#at);
  }

  erase(): void {
    this.#query = [...this.#query].slice(0, -1).join("");
    this.#find(this.#entries.length - 1);
  }

  /** The next older one; stays where it is when there is none. */
  older(): void {
    const [at, shown] = [this.#at, this.match];
    let next = at - 1;
    while (next >= 0 && this.#entries[next] === shown) next--;
    this.#find(next);
    if (this.match === undefined) this.#at = at;
  }

  #find(from: number): void {
    const wanted = this.#query.toLowerCase();
    let at = from;
    while (at >= 0 && !this.#entries[at]?.toLowerCase().includes(wanted)) at--;
    this.#at = at;
  }
}
