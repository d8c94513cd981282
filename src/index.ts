export { type Glovebox, type GloveboxOptions, openGlovebox, type SessionOptions } from "./compose.ts";
export type { SessionLimits } from "./config.ts";
export { type ErrorCode, GloveboxError } from "./errors.ts";
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
export type { CellEvent } from "./session/events.ts";
export type { HostMount } from "./session/host-mount.ts";
export type { RunOptions, Session } from "./session/session.ts";
export type { FileSource } from "./session/session-files.ts";
