export { OUTPUT_BYTES } from "./bound-output.ts";
export { defineTool } from "./define-tool.ts";
export { definedTools } from "./defined-tool.ts";
export { hostFileTools } from "./host-files/host-file-tools.ts";
export { listCsvFiles } from "./list-csv-files.ts";
export { loadCsvHandle } from "./load-csv-handle.ts";
export { loadTools } from "./load-tools.ts";
export type { CodeRun } from "./openai-code-interpreter/code-run.ts";
export type { ContainerInput } from "./openai-code-interpreter/container-config.ts";
export {
  createContainer,
  deleteContainer,
  listContainers,
  retrieveContainer,
} from "./openai-code-interpreter/containers.ts";
export { downloadCitations } from "./openai-code-interpreter/download-citations.ts";
export {
  openHostedContainer,
  projectedFilesInWords,
  projectHostMounts,
} from "./openai-code-interpreter/hosted-container.ts";
export type { HostedEvent } from "./openai-code-interpreter/hosted-events.ts";
export type { HostedRun, HostedRunOptions } from "./openai-code-interpreter/hosted-run.ts";
export { runHosted } from "./openai-code-interpreter/run-hosted.ts";
export { OpenAICodeInterpreterTool } from "./openai-code-interpreter/tool.ts";
export { attachFile, uploadFile, uploadIntoContainer } from "./openai-code-interpreter/uploads.ts";
export { isProviderTool, type ProviderCall, type ProviderTool } from "./provider-tool.ts";
export { pythonRepl } from "./python-repl.ts";
export { ToolRegistry } from "./registry.ts";
export { runCell } from "./run-cell.ts";
export { saveNoteTool } from "./save-note.ts";
export { searchNotesTool } from "./search-notes.ts";
export { type Tool, type ToolContext, type ToolEvent, type ToolResult, tool } from "./tool.ts";
