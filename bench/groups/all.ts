import type { Group } from "../bench.ts";
import { cells } from "./cells.ts";
import { crowd } from "./crowd.ts";
import { death } from "./death.ts";
import { frame } from "./frame.ts";
import { memory } from "./memory.ts";
import { printing } from "./printing.ts";
import { server } from "./server.ts";
import { start } from "./start.ts";
import { state } from "./state.ts";

export const groups: Readonly<Record<string, Group>> = {
  start,
  cells,
  printing,
  frame,
  death,
  state,
  memory,
  crowd,
  server,
};
