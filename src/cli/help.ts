import { type Command, commands } from "./commands.ts";
import { analystTexts } from "./help-analyst.ts";
import { EXIT_STATUS } from "./help-exit-status.ts";

const WIDTH = 10;

export function overview(): string {
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(WIDTH)}${summary}`).join("\n");
  return `Glovebox: a code interpreter you host yourself. Any model, your machine, your data.

Usage: glovebox COMMAND [options]

Commands:
${list}
  ${"help".padEnd(WIDTH)}Say more about a command: glovebox help ask

Options:
  --no-color  Write without colours (also: NO_COLOR=1)
  --version   Print the version
  --help      Print this

Examples:
  glovebox ask sales.csv "Which region sells most?"
  glovebox run -c 'import pandas as pd; pd.read_csv("sales.csv").describe()' --data sales.csv

${EXIT_STATUS}`;
}

export function helpOn(command: Command): string {
  return texts[command.name] ?? overview();
}

const texts: Record<string, string> = {
  ...analystTexts,

  run: `Run Python in a session that is walled in: no network, nothing of this machine but the files you give it.

Usage: glovebox run [FILE.py | - | -c CODE]... [options]

Every file, - (standard input) and -c is one cell. Cells run in the order given, in one session: what one
defines, the next one has. The value of a cell's last line is shown. A cell that fails stops the rest.

Options:
  -c, --code CODE    A cell of its own; may come several times
  --data PATH        Copy a file, or the files of a folder, into /mnt/data first; may come several times
  --out DIR          Afterwards copy files that the cells made or changed, and figures, into DIR
  --json             One line of JSON a cell on standard output, and nothing else there
  --keep-going       Run the other cells though one has failed
  --timeout SECONDS  Time limit of one cell (60)
  --memory SIZE      Memory limit of the session (1g)
  --disk SIZE        Size of /mnt/data (512m)
  --sandbox NAME     Kind of walls: local, docker (containers), or auto (docker where local cannot be raised)
  --engine NAME      What runs containers: docker or podman; --runtime runsc runs them behind gVisor
  --no-color         Write without colours

Examples:
  glovebox run -c 'print("hello")'
  glovebox run analysis.py --data sales.csv --out results
  echo '2 ** 100' | glovebox run -
  glovebox run load.py -c 'df.describe()' --data ./exports --memory 4g --json

Ctrl-C stops the running cell and ends; a second one ends at once.
${EXIT_STATUS}`,

  serve: `Serve the API of OpenAI: stock clients get a code interpreter from any model by changing their base URL.

Usage: glovebox serve [options]

On 127.0.0.1 no key is needed unless you give one; any other address demands one. Each key sees only its own things.

Options:
  --host ADDRESS           Where to listen (127.0.0.1; also: GLOVEBOX_HOST)
  --port NUMBER            Port, 0 for any that is free (8080; also: GLOVEBOX_PORT)
  --api-key KEY            A key that clients must send; may come several times. GLOVEBOX_API_KEY, with spaces
                           between several, keeps keys out of the list of processes
  -m, --model NAME         The model of requests that name none (GLOVEBOX_MODEL, or offline)
  --allow-origin ORIGIN    Let pages of this origin call the server; may come several times
  --allow-host NAME        Answer to this host name too, for a proxy in front; may come several times
  --container-expired HOW  revive an expired container with its files, or error as OpenAI does (revive)
  --config FILE            JSON with these settings and limits; flags and environment count more
  --no-color               Write without colours

Examples:
  glovebox serve
  GLOVEBOX_API_KEY=$(openssl rand -hex 32) glovebox serve --host 0.0.0.0 --model ollama/qwen3-coder
  glovebox serve --config glovebox.json

SIGTERM or Ctrl-C lets running responses finish and keeps all files; a second one ends at once.
${EXIT_STATUS}`,

  mcp: `Serve MCP clients on standard input and output: Python in a sandbox, tables, files, notes.

Usage: glovebox mcp [options]

A client starts it and ends it. It has one session, which goes with it; sessions that the client names keep their files.

Options:
  --session ID       Work in the session of this name, with the files it has
  --data PATH        Copy a file, or the files of a folder, into /mnt/data first; may come several times
  --timeout SECONDS  Time limit of one cell (60)
  --memory SIZE      Memory limit of a session (1g)
  --disk SIZE        Size of /mnt/data (512m)
  --sandbox NAME     Kind of walls: local, docker (containers), or auto (docker where local cannot be raised)
  --engine NAME      What runs containers: docker or podman; --runtime runsc runs them behind gVisor
  --no-color         Write without colours

Examples:
  glovebox mcp --data sales.csv
  claude mcp add glovebox -- npx -y glovebox mcp

${EXIT_STATUS}`,

  setup: `Install the Python environment that sessions use, ahead of its first use.

Usage: glovebox setup [--source uv|pip|debian] [--sandbox docker [--base IMAGE] [--engine NAME]]

It goes to GLOVEBOX_HOME, or to ~/.cache/glovebox. GLOVEBOX_PYTHON names the Python to build on.

Options:
  --source NAME  Where packages come from: uv or pip (the Python package index), or debian (apt).
                 Without it the first that can be reached, in this order
  --sandbox docker  Build the image for containers instead, on --base IMAGE, with --engine docker or podman
  --no-color     Write without colours

Examples:
  glovebox setup
  GLOVEBOX_PYTHON=/usr/bin/python3.12 glovebox setup --source pip`,

  doctor: `Try the walls and limits on this machine, from inside a session, and say what to mend.

Usage: glovebox doctor [--json]

  ✓ in force    ✗ not in force, with the reason and what mends it    – not in force, and not needed for safety

Options:
  --json      One JSON object: ok, version, python, checks (name, ok: true, false or null for –, detail, mend)
  --no-color  Write without colours

Examples:
  glovebox doctor
  glovebox doctor --json | jq '.checks[] | select(.ok == false)'

Exit status: 0 when sessions run safely, 3 when not.`,
};
