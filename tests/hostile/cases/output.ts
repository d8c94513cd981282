import assert from "node:assert/strict";
import type { CellResult } from "../../../src/index.ts";
import type { HostileCase } from "../case.ts";
import { failsWith, last, printed, succeeds } from "../oracles.ts";
import { CHANNEL, py } from "../python.ts";

const MiB = 1 << 20;

function isCut(result: CellResult): void {
  assert.ok(JSON.stringify(result).length < 4 * MiB, "the result is not bounded");
  assert.match(`${result.notice} ${printed(result).slice(0, 2 * MiB)}`, /cut/);
}

export const outputCases: readonly HostileCase[] = [
  {
    title: "Printing without end is cut with a notice",
    cells: ["while True: print('x' * 1000)"],
    timeoutMs: 700,
    expect(results) {
      failsWith("TimeLimit")(results);
      isCut(last(results));
    },
  },
  {
    title: "One line of a hundred megabytes is cut with a notice",
    cells: ["import sys; _ = sys.stdout.write('x' * 100_000_000)"],
    expect: (results) => isCut(last(results)),
  },
  {
    title: "A repr of a hundred megabytes is bounded",
    cells: ["class Loud:\n    def __repr__(self): return 'x' * 100_000_000\nLoud()"],
    expect(results) {
      assert.ok(JSON.stringify(last(results)).length < 4 * MiB);
    },
  },
  {
    title: "Rich forms without end do not pile up in the host",
    cells: ["from IPython.display import HTML, display\nfor _ in range(100): display(HTML('x' * 4_000_000))"],
    expect(results) {
      assert.ok(JSON.stringify(last(results)).length < 64 * MiB, "the host keeps every display");
    },
  },
  {
    title: "Forged displays without end do not pile up in the host",
    cells: [
      CHANNEL +
        py`
          body = b"x" * (8 << 20)
          forged = frame({"type": "display", "secret": secret(), "of_result": False, "parts": [{"mime": "text/html", "bytes": len(body)}]}, body)
          for _ in range(40):
              tell(forged)
        `,
    ],
    timeoutMs: 5000,
    expect(results) {
      assert.ok(JSON.stringify(last(results)).length < 64 * MiB, "the host keeps every display");
    },
  },
  {
    title: "A forged result of millions of rows does not hold up other sessions",
    cells: [
      CHANNEL +
        py`
          rows = b"[" + b",".join([b"[]"] * 2_600_000) + b"]"
          head = json.dumps(result(result={"kind": "dataframe", "repr": "", "columns": [], "row_count": 0, "meta": {"dtypes": {}}, "head": "ROWS"})).encode()
          tell(raw_frame(head.replace(b'"ROWS"', rows)))
          time.sleep(1)
        `,
    ],
    expect(results) {
      assert.ok(JSON.stringify(last(results)).length < 4 * MiB, "the host takes what it is given");
    },
  },
  {
    title: "Output to both streams while the host reads slowly is bounded",
    async act({ run }) {
      const before = process.memoryUsage().rss;
      const wait = new Int32Array(new SharedArrayBuffer(4));
      const result = await run(
        "import sys\nwhile True:\n    print('o' * 4000); print('e' * 4000, file=sys.stderr)",
        {
          timeoutMs: 1500,
          onEvent: () => void Atomics.wait(wait, 0, 0, 5),
        },
      );
      failsWith("TimeLimit")([result]);
      const grown = process.memoryUsage().rss - before;
      assert.ok(grown < 200 * MiB, `the host grew by ${grown} bytes`);
    },
  },
  {
    title: "Fast displays while the host reads slowly are bounded",
    async act({ run }) {
      const wait = new Int32Array(new SharedArrayBuffer(4));
      const result = await run(
        "from IPython.display import HTML, display\nfor _ in range(60): display(HTML('x' * 3_000_000))",
        { onEvent: () => void Atomics.wait(wait, 0, 0, 20) },
      );
      succeeds([result]);
    },
  },
];
