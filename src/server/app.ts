// give it an id → is the host ours → may this page call → who asks → the route → the answer, or an error's body
import { Hono } from "hono";
import { answerError } from "./error-answer.ts";
import { hostCheck } from "./host-check.ts";
import { openApiDocument } from "./openapi.ts";
import { originCheck } from "./origin-check.ts";
import { ownerCheck } from "./owner.ts";
import { requestLog } from "./request-log.ts";
import type { RouteDoc } from "./route-doc.ts";
import { chatCompletionsDocs, chatCompletionsRoutes } from "./routes/chat-completions.ts";
import { containersDocs, containersRoutes } from "./routes/containers.ts";
import { conversationsDocs, conversationsRoutes } from "./routes/conversations.ts";
import { filesDocs, filesRoutes } from "./routes/files.ts";
import { healthRoutes, metricsRoutes } from "./routes/health.ts";
import { modelsDocs, modelsRoutes } from "./routes/models.ts";
import { responsesDocs, responsesRoutes } from "./routes/responses.ts";
import type { ServerEnv, ServerParts } from "./server-parts.ts";
import { WireError } from "./wire-error.ts";

export interface AppExtras {
  readonly version?: string;
  /** Routes of other rooms; they are checked like ours. */
  readonly mount?: (app: Hono<ServerEnv>, parts: ServerParts) => void;
}

/** Everything below /v1. */
const apiRoutes: readonly ((parts: ServerParts) => Hono<ServerEnv>)[] = [
  filesRoutes,
  containersRoutes,
  modelsRoutes,
  responsesRoutes,
  conversationsRoutes,
  chatCompletionsRoutes,
];
const docs: readonly (readonly RouteDoc[])[] = [
  filesDocs,
  containersDocs,
  modelsDocs,
  responsesDocs,
  conversationsDocs,
  chatCompletionsDocs,
];

const WITHOUT_KEY = new Set(["/healthz", "/readyz", "/openapi.json"]);

export function makeApp(parts: ServerParts, extras: AppExtras = {}): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const checkOwner = ownerCheck(parts.owners);
  app.onError((error, c) => answerError(error, c, parts.onLog));
  app.notFound((c) =>
    answerError(
      new WireError({ status: 404, message: `Invalid URL (${c.req.method} ${c.req.path})` }),
      c,
      parts.onLog,
    ),
  );
  app.use(requestLog(parts.metrics));
  app.use(hostCheck(parts.config), originCheck(parts.config));
  app.use(async (c, next) => (WITHOUT_KEY.has(c.req.path) ? next() : checkOwner(c, next)));
  app.route("/", healthRoutes(parts));
  app.route("/", metricsRoutes(parts));
  const document = openApiDocument(docs.flat(), { version: extras.version ?? "0" });
  app.get("/openapi.json", (c) => c.json(document));
  app.use("/v1/*", async (_c, next) => {
    if (!parts.draining.aborted) return next();
    throw new WireError({
      status: 503,
      message: "The server is ending; try again when it is back.",
      headers: { "retry-after": "5", connection: "close" },
    });
  });
  for (const routes of apiRoutes) app.route("/v1", routes(parts));
  extras.mount?.(app, parts);
  return app;
}
