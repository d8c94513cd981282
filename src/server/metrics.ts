const BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120] as const;

type Labels = Readonly<Record<string, string | number>>;

interface Family {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: Map<string, number>;
}

interface Histogram {
  readonly counts: number[];
  sum: number;
  count: number;
}

const COUNTERS = {
  glovebox_requests_total: "Requests answered, by route and status.",
  glovebox_cells_total: "Cells run, by what they came to.",
  glovebox_tokens_total: "Tokens of models, by direction.",
  glovebox_bytes_total: "Bytes of files, by direction.",
} as const;

/** What the server did so far, in the text format that Prometheus reads. */
export class Metrics {
  readonly #counters = new Map<string, Family>();
  readonly #gauges = new Map<string, { readonly help: string; readonly read: () => number }>();
  readonly #durations = new Map<string, Histogram>();

  constructor() {
    for (const [name, help] of Object.entries(COUNTERS))
      this.#counters.set(name, { type: "counter", help, samples: new Map() });
  }

  /** The route is its pattern, never a path with ids: there are few of them. */
  request(facts: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }): void {
    const { method, route, status, seconds } = facts;
    this.#add("glovebox_requests_total", { method, route, status });
    const key = labelText({ method, route });
    const histogram = this.#durations.get(key) ?? { counts: BUCKETS.map(() => 0), sum: 0, count: 0 };
    this.#durations.set(key, histogram);
    histogram.sum += seconds;
    histogram.count += 1;
    for (const [at, most] of BUCKETS.entries()) {
      if (seconds <= most) histogram.counts[at] = (histogram.counts[at] ?? 0) + 1;
    }
  }

  /** Of a result: text, dataframe, object or error. */
  cell(kind: string): void {
    this.#add("glovebox_cells_total", { kind });
  }

  tokens(direction: "input" | "output", count: number): void {
    this.#add("glovebox_tokens_total", { direction }, count);
  }

  bytes(direction: "in" | "out", count: number): void {
    this.#add("glovebox_bytes_total", { direction }, count);
  }

  /** A number that is read when somebody asks. */
  gauge(name: string, help: string, read: () => number): void {
    this.#gauges.set(name, { help, read });
  }

  text(): string {
    const lines: string[] = [];
    const family = (name: string, type: string, help: string) =>
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const [name, { type, help, samples }] of this.#counters) {
      family(name, type, help);
      for (const [labels, value] of samples) lines.push(`${name}{${labels}} ${value}`);
    }
    for (const [name, { help, read }] of this.#gauges) {
      family(name, "gauge", help);
      lines.push(`${name} ${read()}`);
    }
    const durations = "glovebox_request_duration_seconds";
    family(durations, "histogram", "Time from a request's headers to the end of its answer.");
    for (const [labels, { counts, sum, count }] of this.#durations) {
      for (const [at, most] of BUCKETS.entries())
        lines.push(`${durations}_bucket{${labels},le="${most}"} ${counts[at]}`);
      lines.push(`${durations}_bucket{${labels},le="+Inf"} ${count}`);
      lines.push(`${durations}_sum{${labels}} ${sum}`, `${durations}_count{${labels}} ${count}`);
    }
    return `${lines.join("\n")}\n`;
  }

  #add(name: keyof typeof COUNTERS, labels: Labels, by = 1): void {
    const samples = this.#counters.get(name)?.samples;
    const key = labelText(labels);
    samples?.set(key, (samples.get(key) ?? 0) + by);
  }
}

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${String(value).replace(/["\\\n]/g, "_")}"`)
    .join(",");
}
