export type { ConnectionSettings } from "./access.ts";
export type {
  FinishReason,
  Model,
  ModelEvent,
  ModelRequest,
  ModelSettings,
  TextFormat,
} from "./model.ts";
export { offlineAnalyst } from "./offline/offline-analyst.ts";
export { type OpenModelOptions, openModel } from "./open-model.ts";
export {
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedStep,
  type ScriptLine,
  scriptedModel,
} from "./scripted.ts";
