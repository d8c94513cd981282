import { surveyProviders } from "../models/survey.ts";
import { readArguments, refuseWords } from "./arguments.ts";
import { Ending } from "./ending.ts";
import { exitStatus } from "./exit-status.ts";
import { jsonLine } from "./json-line.ts";
import { formatSurvey, surveyForPrograms } from "./models-report.ts";
import { Progress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

/** Says which providers of models are configured, which of them answer, and with which models. */
export async function models(args: string[], terminal: Terminal): Promise<number> {
  const given = readArguments("models", args, { json: { type: "boolean" } });
  refuseWords("models", given);
  using ending = new Ending(terminal);
  const progress = new Progress(terminal.stderr);
  progress.wait("Asking the providers");
  const survey = await surveyProviders({ signal: ending.signal }).finally(() => progress.stop());
  if (ending.status !== undefined) return ending.status;
  if (given.has("json")) terminal.stdout.write(jsonLine(surveyForPrograms(survey)));
  else terminal.stdout.line(formatSurvey(survey, terminal.stdout));
  return exitStatus.well;
}
