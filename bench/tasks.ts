/** One piece of work: as a cell of a session, and as a whole script for those that have none. */
export interface Task {
  readonly cell: string;
  readonly script: string;
  /** Text that only a right answer holds. */
  readonly expect: string;
  readonly leastCharacters?: number;
}

const sumOfFrame = 'pd.DataFrame({"a": range(1000)}).a.sum().item()';

export const pandasResult: Task = {
  cell: `import pandas as pd\n${sumOfFrame}`,
  script: `import pandas as pd\nprint(${sumOfFrame})`,
  expect: "499500",
};

export const trivial: Task = { cell: "1+1", script: "print(1+1)", expect: "2" };

const lines = 12_500;
const printing = `for _ in range(${lines}): print("x" * 79)`;

export const printMegabyte: Task = {
  cell: printing,
  script: printing,
  expect: "xxx",
  leastCharacters: lines * 80 - 1,
};

/** A frame that stays in the session. */
export const keepFrame: Task = {
  cell: 'import pandas as pd\ndf = pd.DataFrame({"a": range(1000)})\ndf.a.sum().item()',
  script: 'import pandas as pd\ndf = pd.DataFrame({"a": range(1000)})\nprint(df.a.sum().item(), end="")',
  expect: "499500",
};

export const keptFrame: Task = { cell: "df.a.sum().item()", script: "", expect: "499500" };

export function makeLargeFrame(rows: number): Task {
  const code = `import numpy as np, pandas as pd\ndf = pd.DataFrame({"a": np.arange(${rows}), "b": np.arange(${rows}) * 0.5})`;
  return { cell: `${code}\nlen(df)`, script: "", expect: String(rows) };
}

export function returnLargeFrame(rows: number): Task {
  const made = makeLargeFrame(rows).cell.replace("\nlen(df)", "");
  return { cell: "df", script: `${made}\nprint(df)`, expect: `${rows} rows` };
}

const NUMBERS_A_PAGE = 512;

export function makeArray(numbers: number): Task {
  return {
    cell: `import numpy as np\nbig = np.ones(${numbers})\n${touchEveryPage}`,
    script: "",
    expect: String(numbers / NUMBERS_A_PAGE),
  };
}

const touchEveryPage = `int(big[::${NUMBERS_A_PAGE}].sum())`;

export function keptArray(numbers: number): Task {
  return { cell: touchEveryPage, script: "", expect: String(numbers / NUMBERS_A_PAGE) };
}
