export type { AskOptions, TurnCell, TurnResult } from "./agent/agent.ts";
export type { Analyst } from "./agent/analyst.ts";
export { type Glovebox, type GloveboxOptions, openGlovebox, type SessionOptions } from "./compose.ts";
export type { AnalystOptions } from "./compose-analyst.ts";
export type { SessionLimits } from "./config.ts";
export { type ErrorCode, GloveboxError } from "./errors.ts";
export type { AgentEvent, CellEvent, TurnEnding } from "./protocol/events.ts";
export type { Item } from "./protocol/items.ts";
export type { Walls } from "./protocol/messages.ts";
export type {
  CellResult,
  Display,
  FileEntry,
  MimeBundle,
  PythonResult,
  Variable,
} from "./protocol/result.ts";
export type { KernelMount, KernelShape, Sandbox } from "./sandbox/sandbox.ts";
export type { HostMount } from "./session/host-mount.ts";
export type { Mark } from "./session/marks.ts";
export type { RunOptions, Session } from "./session/session.ts";
export type { FileSource } from "./session/session-files.ts";
export { type Tool, type ToolContext, type ToolResult, tool } from "./tools/tool.ts";
