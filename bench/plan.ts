/** How much is measured. Sizes appear in the rows' own words, so that a quick run does not pass for a full one. */
export interface Plan {
  readonly quick: boolean;
  readonly starts: number;
  readonly cellBlocks: number;
  readonly cellsABlock: number;
  readonly repeats: number;
  readonly crowds: number;
  readonly crowd: number;
  /** How many kernels or processes of a peer stand for a crowd: more would take minutes. */
  readonly peerCrowd: number;
  readonly alive: number;
  /** Eight bytes each. */
  readonly stateNumbers: number;
  readonly frameRows: number;
  /** Responses of a server that one sample, or one client of several, asks for. */
  readonly responses: number;
  /** How many clients ask at once, one measurement for each. */
  readonly clients: readonly number[];
  readonly containers: number;
  readonly transferMiB: number;
  /** The time that one sample may take. */
  readonly limitMs: number;
  /** Lets what a contender does after its answer end before the next one's turn. */
  readonly settleMs: number;
}

export const fullPlan: Plan = {
  quick: false,
  starts: 8,
  cellBlocks: 8,
  cellsABlock: 20,
  repeats: 7,
  crowds: 3,
  crowd: 100,
  peerCrowd: 8,
  alive: 300,
  stateNumbers: 2 ** 27,
  frameRows: 10_000_000,
  responses: 20,
  clients: [1, 10, 50],
  containers: 200,
  transferMiB: 1024,
  limitMs: 60_000,
  settleMs: 150,
};

export const quickPlan: Plan = {
  quick: true,
  starts: 2,
  cellBlocks: 2,
  cellsABlock: 5,
  repeats: 2,
  crowds: 1,
  crowd: 10,
  peerCrowd: 2,
  alive: 20,
  stateNumbers: 2 ** 23,
  frameRows: 1_000_000,
  responses: 3,
  clients: [1, 4],
  containers: 6,
  transferMiB: 16,
  limitMs: 20_000,
  settleMs: 50,
};
