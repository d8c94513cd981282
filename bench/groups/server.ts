// start a server → overhead of a response, one at a time → many clients → many containers → large files → end it
import type { Bench, Group } from "../bench.ts";
import { interleave, within } from "../interleave.ts";
import type { Measured, Row } from "../row.ts";
import { type Asked, BenchServer } from "../server/bench-server.ts";
import { RUN } from "../server/messages.ts";
import { summarize } from "../statistics.ts";

const PART = Buffer.alloc(2 ** 20, "glovebox");
/** Clients that keep all containers at work, as many as take turns well. */
const CLIENTS_OF_CONTAINERS = 50;

export const server: Group = async (bench) => {
  bench.progress("starting the server");
  await using box = await BenchServer.start();
  return [
    ...(await overheads(bench, box)),
    ...(await rates(bench, box)),
    await containersAlive(bench, box),
    ...(await transfers(bench, box)),
  ];
};

const answer = { question: "Which region sells most?" };
const cellIn = (container: string) => ({ question: `${RUN}1+1`, container });

/** One response after the other, the time of the model taken off. */
async function overheads(bench: Bench, box: BenchServer): Promise<Row[]> {
  const container = await box.newContainer();
  const cell = cellIn(container);
  await box.respond(cell);
  await box.modelMs(2);
  const less = async (steps: number, respond: () => Promise<string>, expect: string) => {
    const begun = performance.now();
    const told = await respond();
    const taken = performance.now() - begun;
    check(told, expect);
    return taken - (await box.modelMs(steps));
  };
  const streamed = async (asked: Asked) => (await box.stream(asked)).text;
  const ways = {
    "response-blocking": () => less(1, () => box.respond(answer), "three regions"),
    "response-streaming": () => less(1, () => streamed(answer), "response.completed"),
    "cell-blocking": () => less(2, () => box.respond(cell), '"logs":"2"'),
    "cell-streaming": () => less(2, () => streamed(cell), '"logs":"2"'),
    "first-event": async () => {
      const { firstMs } = await box.stream(answer);
      await box.modelMs(1);
      return firstMs;
    },
  };
  const measured = await rounds(bench, bench.plan.repeats, ways, bench.plan.responses);
  const what: Record<keyof typeof ways, string> = {
    "response-blocking": "a response without code, blocking, less the model's time",
    "response-streaming": "a response without code, streaming to its last event, less the model's time",
    "cell-blocking": "a response with a cell of 1+1, blocking, less the model's time",
    "cell-streaming": "a response with a cell of 1+1, streaming to its last event, less the model's time",
    "first-event": "streaming: until the first event",
  };
  return Object.entries(what).map(([name, words]) => row(name, words, "ms", measured[name]));
}

/** Each client asks again as soon as it is answered. */
async function rates(bench: Bench, box: BenchServer): Promise<Row[]> {
  const { clients, responses } = bench.plan;
  const most = Math.max(...clients);
  const containers = await Promise.all(Array.from({ length: most }, () => box.newContainer()));
  await Promise.all(containers.map((container) => box.respond(cellIn(container))));
  const rate = async (count: number, askedBy: (client: number) => Asked, expect: string) => {
    const begun = performance.now();
    await Promise.all(
      Array.from({ length: count }, async (_, client) => {
        for (let each = 0; each < responses; each++) check(await box.respond(askedBy(client)), expect);
      }),
    );
    return (count * responses * 1000) / (performance.now() - begun);
  };
  const rows: Row[] = [];
  for (const count of clients) {
    const measured = await rounds(bench, bench.plan.crowds, {
      [`rate-${count}`]: () => rate(count, () => answer, "three regions"),
      [`cell-rate-${count}`]: () => rate(count, (client) => cellIn(containers[client] ?? ""), '"logs":"2"'),
    });
    const who = count === 1 ? "1 client" : `${count} clients at once`;
    rows.push(
      row(`rate-${count}`, `responses without code a second, ${who}`, "/s", measured[`rate-${count}`]),
      row(
        `cell-rate-${count}`,
        `responses with a cell a second, ${who}, a container each`,
        "/s",
        measured[`cell-rate-${count}`],
      ),
    );
  }
  return rows;
}

/** Makes them all, then asks each for what it kept. */
async function containersAlive(bench: Bench, box: BenchServer): Promise<Row> {
  const { containers, limitMs } = bench.plan;
  bench.progress(`${containers} containers`);
  const what = `${containers} containers alive behind the server, each answering twice`;
  const begun = performance.now();
  const tell = async (container: string, code: string, expect: string) =>
    check(await box.respond({ question: `${RUN}${code}`, container }), expect);
  try {
    const ids = await Promise.all(Array.from({ length: containers }, () => box.newContainer()));
    const each = async (code: (at: number) => string, expect: (at: number) => string) => {
      const waiting = ids.entries();
      const client = async () => {
        for (const [at, id] of waiting) await tell(id, code(at), expect(at));
      };
      await within(limitMs, Promise.all(Array.from({ length: CLIENTS_OF_CONTAINERS }, client)));
    };
    await each(
      (at) => `kept = ${at} * 7\nprint("made")`,
      () => "made",
    );
    await each(
      () => 'print(f"<{kept}>")',
      (at) => `<${at * 7}>`,
    );
    const measured = summarize([(performance.now() - begun) / 1000]);
    const remark = `yes: ${containers} of ${containers} answered`;
    return { ...row("containers", what, "s", measured), remark };
  } catch (error) {
    return { ...row("containers", what, "s", { notMeasured: (error as Error).message }), remark: "no" };
  }
}

async function transfers(bench: Bench, box: BenchServer): Promise<Row[]> {
  const { transferMiB, repeats } = bench.plan;
  async function* bytes() {
    for (let part = 0; part < transferMiB; part++) yield PART;
  }
  const perSecond = (begun: number) => (transferMiB * 1000) / (performance.now() - begun);
  let file = await box.upload(bytes());
  const measured = await rounds(bench, repeats, {
    upload: async () => {
      await box.remove(file);
      const begun = performance.now();
      file = await box.upload(bytes());
      return perSecond(begun);
    },
    download: async () => {
      const begun = performance.now();
      const size = await box.download(file);
      if (size !== transferMiB * PART.length) throw new Error(`${size} bytes came`);
      return perSecond(begun);
    },
  });
  await box.remove(file);
  const size = transferMiB >= 1024 ? `${transferMiB / 1024} GiB` : `${transferMiB} MiB`;
  return [
    row("upload", `upload of ${size}`, "MiB/s", measured.upload),
    row("download", `download of ${size}`, "MiB/s", measured.download),
  ];
}

/** Rounds over all ways of one kind; a sample may be the work of several. */
function rounds(
  { plan, progress }: Bench,
  count: number,
  ways: Readonly<Record<string, () => Promise<number>>>,
  samples = 1,
): Promise<Partial<Record<string, Measured>>> {
  const entries = Object.entries(ways).map(([name, sample]) => ({
    name,
    sample: async () => {
      const taken: number[] = [];
      for (let each = 0; each < samples; each++) taken.push(await sample());
      return taken;
    },
  }));
  return interleave(entries, {
    rounds: count,
    limitMs: plan.limitMs,
    settleMs: plan.settleMs,
    onTurn: (words) => progress(words),
  });
}

function row(name: string, what: string, unit: Row["unit"], glovebox: Measured | undefined): Row {
  return { name, what, unit, values: glovebox ? { glovebox } : {} };
}

function check(told: string, expect: string): void {
  if (!told.includes(expect)) throw new Error(`a wrong answer: ${told.slice(-300)}`);
}
