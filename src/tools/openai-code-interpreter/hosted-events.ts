import type { ErrorCode } from "../../errors.ts";
import type { FinishReason } from "../../models/model.ts";
import type { CodeInterpreterCallItem } from "../../protocol/items.ts";
import type { Usage } from "../../protocol/usage.ts";
import type { MemoryTier } from "./container-config.ts";

/** What every event of a hosted run says, for whoever debugs it. */
interface HostedFacts {
  readonly model: string;
  readonly memoryTier: MemoryTier;
  /** Unknown before OpenAI has made an automatic container. */
  readonly containerId?: string;
}

/** What happens while OpenAI's code interpreter is used, in order. */
export type HostedEvent = HostedFacts &
  (
    | { readonly type: "container-open"; readonly files: number }
    | { readonly type: "container-expired"; readonly renewed: boolean }
    | { readonly type: "hosted-request"; readonly maxOutputTokens?: number }
    | {
        readonly type: "hosted-call";
        readonly callId: string;
        readonly status: CodeInterpreterCallItem["status"];
        readonly success: boolean;
      }
    | {
        readonly type: "hosted-response";
        readonly requestId?: string;
        readonly responseId: string;
        readonly finishReason: FinishReason;
        readonly usage: Usage;
      }
    | {
        readonly type: "hosted-failed";
        readonly requestId?: string;
        readonly code: ErrorCode;
        readonly message: string;
      }
  );
