import type { ProviderState, Survey } from "../models/survey.ts";
import type { Style } from "./colour.ts";
import { clipToWidth, displayWidth, padEnd } from "./display-width.ts";
import { oneLine } from "./safe-text.ts";
import type { Output } from "./terminal.ts";

type Screen = Pick<Output, "columns" | "paint">;

const LEAST_DETAIL = 30;
const MOST_NAMED = 12;

export function formatSurvey(survey: Survey, screen: Screen): string {
  const nameWidth = Math.max(...survey.providers.map(({ name }) => displayWidth(name)));
  return [
    ...survey.providers.flatMap((state) => formatState(state, nameWidth, screen)),
    "",
    defaultLine(survey.default, screen),
    screen.paint(
      "dim",
      "Name a model as provider/model. Any other provider of the AI SDK: npm install @ai-sdk/NAME, then NAME/model.",
    ),
  ].join("\n");
}

export function surveyForPrograms(survey: Survey): object {
  return {
    default: survey.default,
    providers: survey.providers.map((state) => ({
      name: state.name,
      configured: state.configured,
      answers: state.answers,
      base_url: state.baseUrl ?? null,
      problem: state.problem ?? null,
      fix: state.fix ?? null,
      models: state.models,
      model_count: state.modelCount,
    })),
  };
}

function formatState(state: ProviderState, nameWidth: number, screen: Screen): string[] {
  const [mark, style] = markOf(state);
  const indent = 2 + nameWidth + 2;
  const room = Math.max(LEAST_DETAIL, screen.columns - indent);
  const detail = clipToWidth(oneLine(detailOf(state)), room);
  const line = `${screen.paint(style, mark)} ${padEnd(state.name, nameWidth)}  ${detail}`;
  if (!state.fix) return [line];
  // A command stays on one line, so that it can be copied.
  return [
    line,
    `${" ".repeat(indent)}${screen.paint("yellow", "→")} ${screen.paint("bold", oneLine(state.fix))}`,
  ];
}

function markOf({ answers, expected }: ProviderState): [string, Style] {
  if (answers) return ["✓", "green"];
  return expected ? ["✗", "red"] : ["–", "dim"];
}

function detailOf(state: ProviderState): string {
  if (!state.configured) return state.problem ?? "not configured";
  if (state.name === "offline") return "the built-in analyst; needs no key and no network";
  if (!state.answers) return `${state.baseUrl ?? ""}: ${state.problem ?? "no answer"}`;
  const { models, modelCount } = state;
  if (modelCount === 0) return "answers, and has no models";
  const named = models.slice(0, MOST_NAMED).join(", ");
  const more = modelCount > MOST_NAMED ? " …" : "";
  return `${modelCount} model${modelCount === 1 ? "" : "s"}: ${named}${more}`;
}

function defaultLine({ name, from, problem }: Survey["default"], screen: Screen): string {
  const source = from === "built-in" ? "GLOVEBOX_MODEL=provider/model sets another" : "from GLOVEBOX_MODEL";
  const line = `Default: ${screen.paint("bold", oneLine(name))} (${source})`;
  return problem ? `${line}\n${screen.paint("red", "✗")} ${oneLine(problem)}` : line;
}
