import assert from "node:assert/strict";
import type { HostileCase } from "../case.ts";
import { last, succeeds } from "../oracles.ts";

export const figureCases: readonly HostileCase[] = [
  {
    title: "Hundreds of open figures are bounded and closed",
    cells: [
      "import matplotlib.pyplot as plt\nfor _ in range(300): plt.figure(figsize=(1, 1))",
      "len(plt.get_fignums())",
    ],
    expect(results) {
      assert.ok((results[0]?.images?.length ?? 0) <= 50);
      assert.deepEqual(last(results).kind === "object" && last(results), { ...last(results), json: 0 });
    },
  },
  {
    title: "A figure of fifty thousand pixels a side is drawn smaller or refused",
    cells: [
      "import matplotlib.pyplot as plt\nplt.figure(figsize=(500, 500), dpi=100); plt.plot([1, 2]); plt.show()",
    ],
    limits: { memoryBytes: 512 << 20 },
  },
  {
    title: "A figure without a size is refused",
    cells: [
      "import matplotlib.pyplot as plt\nplt.figure(figsize=(float('inf'), 0)); plt.plot([1, 2])",
      "plt.close('all')",
    ],
  },
  {
    title: "A foreign backend and show() without one do not block",
    cells: [
      "import matplotlib, matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show(block=True)\nmatplotlib.use('agg')",
    ],
    timeoutMs: 8000,
    expect: succeeds,
  },
  {
    title: "An image whose bytes are no image is kept as a file or refused",
    cells: [
      "class Fake:\n    def _repr_png_(self): return b'<script>' * 1000\n    def _repr_svg_(self): return '<svg onload=alert(1)>'\nFake()",
    ],
  },
];
