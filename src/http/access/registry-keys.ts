import type { AppContext } from "../app-context.ts";
import { tryAgain } from "../pipeline/failure.ts";
import { bearerToken, type KeyScheme } from "./authorize.ts";
import { UNLIMITED } from "./caller.ts";
import { invalidKey, missingKey } from "./failures.ts";

const BASIC = /^basic[ \t]+([A-Za-z0-9+/_-]+={0,2})[ \t]*$/i;
const CHALLENGE = ', Basic realm="NPI registry", charset="UTF-8"';
const HINT =
  ", or as the user name of HTTP Basic: https://<API key>:x@host/api/";

/**
 * Keys of the registry's API: as bearer tokens, or as the user name of HTTP Basic, so that a client takes its key from
 * its base URL. If the operator opened the API, a request without a key is a visitor's, within a limit for its address.
 */
export function registryKeys({
  now,
  registryVisitors,
  settings: { registryApi },
}: Pick<AppContext, "now" | "registryVisitors" | "settings">): KeyScheme {
  return {
    tokenOf: (authorization) =>
      bearerToken(authorization) ?? basicUser(authorization),
    withoutKey(call) {
      if (registryApi.mode !== "open") return missingKey(HINT, CHALLENGE);
      const burst = registryVisitors.take(call.ip, now());
      const limits = registryVisitors.headers(burst);
      call.caller = { ...UNLIMITED, limits: () => limits };
      if (burst.allowed) return null;
      const { perSecond, size } = registryVisitors;
      return tryAgain(
        "rate_limited",
        `Without an API key, each address may send ${perSecond} requests per second, ${size} at once.`,
        burst.retryAfterSeconds,
        ", or send an API key",
      );
    },
    invalidKey: () => invalidKey(CHALLENGE),
  };
}

/** Reads the user name of an `Authorization: Basic …` header, or null. A password is ignored. */
export function basicUser(authorization: string | undefined): string | null {
  const encoded =
    authorization === undefined ? undefined : BASIC.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const [user = ""] = Buffer.from(encoded, "base64").toString().split(":", 1);
  return user === "" ? null : user;
}
