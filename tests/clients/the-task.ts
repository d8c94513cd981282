/** What every client of these tests is put through, and what the scripted model does in it. */
import type { ScriptLine } from "../../src/models/scripted.ts";
import { python } from "../server/response-server.ts";

export const CSV = "region,sales\nnorth,10\nsouth,32\n";

export const firstTurn: readonly ScriptLine[] = [
  python(
    [
      "import pandas as pd, matplotlib.pyplot as plt",
      "table = pd.read_csv('/mnt/data/sales.csv')",
      "print('rows', len(table))",
      "table['sales'].plot.bar()",
      "table.describe().to_csv('/mnt/data/summary.csv')",
      "int(table['sales'].sum())",
    ].join("\n"),
  ),
  "The sum is 42, see [summary.csv](sandbox:/mnt/data/summary.csv).",
];
export const LINK = "sandbox:/mnt/data/summary.csv";

export const secondTurn: readonly ScriptLine[] = [
  python("print('still here:', len(table))"),
  "The table is still there.",
];
