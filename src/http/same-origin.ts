import type { IncomingMessage } from "node:http";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a request that changes something may have been forged by the page of another site. Browsers name the origin
 * of every such request; what names none has to carry a header that a page cannot send elsewhere without being asked
 * (and nobody is answered who asks).
 */
export function comesFromElsewhere(
  { headers, method = "" }: Pick<IncomingMessage, "headers" | "method">,
  origins: readonly string[],
): boolean {
  if (SAFE_METHODS.has(method)) return false;
  const { origin } = headers;
  if (origin !== undefined) return !origins.includes(origin);
  return (headers["x-requested-with"] ?? "") === "";
}
