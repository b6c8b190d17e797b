import { isIP } from "node:net";
import type { AppContext } from "../app-context.ts";
import type { Call } from "../call.ts";
import type { Failure } from "../pipeline/failure.ts";
import { baseOf, type ServiceAddress } from "../pipeline/failure-reply.ts";
import { admitKey, BEARER_KEYS, type InvalidKeyLimiter } from "./authorize.ts";
import { invalidKey, missingKey } from "./failures.ts";
import { foreignOrigin } from "./same-origin.ts";

/** The path that describes `/mcp` as a protected resource (RFC 9728). */
export const MCP_METADATA_PATH = "/.well-known/oauth-protected-resource/mcp";

/** Admits an assistant's request: not from another site's page, and with an API key. Takes a token of the burst limit. */
export function admitAssistant(
  call: Call,
  deps: AppContext,
  invalidKeys: InvalidKeyLimiter,
): Failure | null | Promise<Failure | null> {
  const { origin, host } = call.headers;
  if (origin !== undefined && isForeign(origin, host, deps.settings))
    return foreignOrigin(
      "Pages of other sites can't use /mcp. If this is this service's own address, its operator must set PUBLIC_URL to it.",
    );
  const metadata = `resource_metadata="${baseOf(call, deps)}${MCP_METADATA_PATH}"`;
  const scheme = {
    ...BEARER_KEYS,
    withoutKey: () => missingKey("", ` ${metadata}`),
    invalidKey: () => invalidKey(`, ${metadata}`),
  };
  // What each call of a tool counts as is known later (`KeyCaller.countedAs`).
  return admitKey(call, "lookup", deps, invalidKeys, scheme);
}

/**
 * True if a page of another site sent a request. A page that has rebound its own name to this machine sends its name as
 * `Origin` and `Host`, so names are trusted only if they are the public URL's, or this machine's.
 */
function isForeign(
  origin: string,
  host: string | undefined,
  { publicUrl }: ServiceAddress["settings"],
): boolean {
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return false;
  const url = URL.parse(origin);
  return url === null || url.host !== host || !isUnbindable(url.hostname);
}

/** True if no one else can make a host name lead to this machine. */
function isUnbindable(hostname: string): boolean {
  return (
    hostname === "localhost" || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0
  );
}
