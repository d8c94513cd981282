export { type RunningServer, type StartServerOptions, startServer } from "./serve.ts";
export { readServerConfig, type ServerConfig } from "./server-config.ts";
