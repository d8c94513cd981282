import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { KeyStore } from "../store/keys.ts";
import { newId } from "./ids.ts";
import type { ApiKey } from "./server-config.ts";
import type { ServerEnv } from "./server-parts.ts";
import { WireError } from "./wire-error.ts";

/** Who works on a server that only this machine reaches and that has no keys. */
export const LOCAL_OWNER = "local";

interface KnownKey {
  readonly owner: string;
  readonly hash: Buffer;
}

/** Who a request comes from. Of keys only the hashes are held. */
export class Owners {
  readonly #keys: readonly KnownKey[];

  private constructor(keys: readonly KnownKey[]) {
    this.#keys = keys;
  }

  /** The same key, or one of the same name, stands for the same owner from start to start. */
  static async open(keys: readonly ApiKey[], store: KeyStore, now: () => number): Promise<Owners> {
    const known: KnownKey[] = [];
    for (const key of keys) {
      const hash = "key" in key ? sha256(key.key) : Buffer.from(key.sha256, "hex");
      const claimed = await store.claim({
        id: newId("key_"),
        name: key.name ?? null,
        hash: hash.toString("hex"),
        createdMs: now(),
      });
      known.push({ owner: claimed.id, hash });
    }
    return new Owners(known);
  }

  /** Throws a WireError 401 for a request without a key, or with a wrong one. */
  of(authorization: string | undefined): string {
    if (this.#keys.length === 0) return LOCAL_OWNER;
    const given = /^Bearer +(\S+)\s*$/i.exec(authorization ?? "")?.[1];
    if (given === undefined) {
      throw refused(
        "You didn't provide an API key. Send yours in the header 'Authorization: Bearer YOUR_KEY'; whoever runs this server has it.",
        null,
      );
    }
    const hash = sha256(given);
    // Every key is compared, and every comparison takes the same time.
    const [found] = this.#keys.filter((key) => timingSafeEqual(key.hash, hash));
    if (found) return found.owner;
    throw refused(
      "Incorrect API key provided. Whoever runs this server has the right one.",
      "invalid_api_key",
    );
  }
}

export function ownerCheck(owners: Owners): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    c.set("owner", owners.of(c.req.header("authorization")));
    await next();
  };
}

function sha256(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

function refused(message: string, code: string | null): WireError {
  return new WireError({ status: 401, message, code, headers: { "www-authenticate": "Bearer" } });
}
