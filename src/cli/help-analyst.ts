import { EXIT_STATUS } from "./help-exit-status.ts";

const shared = `  -m, --model NAME   Who thinks: openai/gpt-5.1, ollama/qwen3-coder, offline ... (GLOVEBOX_MODEL, or offline)
  --base-url URL     Where that model is, if not where its provider usually is
  --effort LEVEL     How hard a reasoning model thinks: low, medium, high ...
  --temperature N    How freely it chooses its words: 0 to 2
  -c, --continue     Go on with the last conversation and its files
  --session ID       Work in the session of this name, with the files it has
  --tools FILE       A module with tools of your own; may come several times
  --out DIR          Copy files and figures that the cells make into DIR
  --show-code        The same as --code show
  --code MODE        auto (long code is folded), show or hide
  --images HOW       Draw figures in the terminal: auto, kitty, iterm, sixel or none
  --timeout SECONDS  Time limit of an answer and of every cell for it
  --memory SIZE      Memory limit of the session (1g)
  --disk SIZE        Size of /mnt/data (512m)
  --sandbox NAME     Kind of walls: local, docker (containers), or auto (docker where local cannot be raised)
  --engine NAME      What runs containers: docker or podman; --runtime runsc runs them behind gVisor
  --no-color         Write without colours`;

export const analystTexts: Readonly<Record<string, string>> = {
  ask: `Answer a question about files. The model writes Python, which runs walled in; files are copied in first.

Usage: glovebox ask [PATH]... QUESTION [options]

A word that is a file or folder is a PATH, the other one is the QUESTION; their order does not matter. Without a
question, or with -, it is read from standard input. Steps, code and cells go to standard error, the answer goes to
standard output: as Markdown, or rendered where that is a terminal. Files that the cells make are kept with the
session, and their paths are told.

Options:
  --json             One JSON object: answer, model, cells, files, usage, session
  --format FORMAT    md, json, or csv (all rows of the last table instead of the answer)
  --server URL       Let the "glovebox serve" at this address answer: files are sent there, nothing runs here
  --api-key KEY      The key of that server (GLOVEBOX_API_KEY)
${shared}

Examples:
  glovebox ask sales.csv "Which region sells most?"
  glovebox ask data/ "How do fines influence accidents?" --out results > answer.md
  glovebox ask sales.csv "Total by month" --format csv > months.csv
  echo "What is in here?" | glovebox ask *.csv --model ollama/qwen3-coder --json
  glovebox ask sales.csv "Which region sells most?" --server https://box.example.org

With --server, --session names a container of the server (--json tells it), --memory is its memory (1g, 4g, 16g or
64g), and --tools, --base-url, --disk, --sandbox, --continue and --format csv are not for it.

Ctrl-C stops the running cell and ends; the session is kept. A second one ends at once.
${EXIT_STATUS}`,

  chat: `Ask about files, question after question, in one session: variables and files stay.

Usage: glovebox chat [PATH]... [options]

Enter sends. A line that ends with \\, Alt-Enter and pasted lines make a question of several lines. Arrow keys go
through earlier questions, Ctrl-R searches them, Tab completes commands and file names.

  /files /vars       What there is in the session
  /undo              Take the last question back: what was said, and the variables
  /save [FILE]       Write the conversation as Markdown, with code, results and figures
  /model [NAME]      Say which model answers, or take another one
  /cost /help /quit

Options:
${shared}

Examples:
  glovebox chat sales.csv
  glovebox chat -c
  glovebox chat sales.csv < questions.txt

Ctrl-C stops what runs, a second one within two seconds kills it; the session lives. At an empty prompt Ctrl-D
quits, and so does Ctrl-C twice. Standard input that is no terminal is read line by line.
${EXIT_STATUS}`,

  models: `Say which providers of models are configured, which of them answer, and with which models.

Usage: glovebox models [--json]

  ✓ answers    ✗ set up and does not answer    – not set up, or no such server runs here

A model is named provider/model: openai/gpt-5.1, anthropic/claude-sonnet-4-5, ollama/qwen3-coder, or offline.
GLOVEBOX_MODEL names the default. Keys: OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY,
MISTRAL_API_KEY. Servers elsewhere: OLLAMA_BASE_URL, LMSTUDIO_BASE_URL, VLLM_BASE_URL, LLAMACPP_BASE_URL,
OPENAI_BASE_URL, OPENAI_COMPATIBLE_BASE_URL. Any other provider of the AI SDK: npm install @ai-sdk/NAME.

Options:
  --json      One JSON object: default (name, from, problem), providers (name, configured, answers: true, false
              or null for not asked, base_url, problem, fix, models, model_count)
  --no-color  Write without colours

Examples:
  glovebox models
  glovebox models --json | jq '.providers[] | select(.answers) | .name'`,
};
