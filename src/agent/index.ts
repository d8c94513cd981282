export { Conversation, type ConversationParts } from "../history/conversation.ts";
export { Agent, type AgentParts, type AskOptions, type TurnCell, type TurnResult } from "./agent.ts";
export { Analyst } from "./analyst.ts";
export { FileAccessAgent, type FileAccessAgentParts, type FileAccessResult } from "./file-access-agent.ts";
export { type AgentLimits, defaultAgentLimits } from "./limits.ts";
export { Orchestrator, type OrchestratorParts } from "./orchestrator.ts";
export { PythonExecAgent, type PythonExecAgentParts, type PythonTask } from "./python-exec-agent.ts";
