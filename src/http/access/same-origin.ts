import type { IncomingMessage } from "node:http";
import type { Failure } from "../pipeline/failure.ts";

/** The parts of a request that show whether it may be forged. */
type Request = Pick<IncomingMessage, "headers" | "method">;

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Refuses a request that changes something, and may come from another site's page than `origins`, or returns null. */
export function refuseForged(
  request: Request,
  origins: readonly string[],
): Failure | null {
  return mayBeForged(request, origins)
    ? foreignOrigin(
        "Requests that change something must come from this service's own pages. Outside a browser, send the header X-Requested-With.",
      )
    : null;
}

/**
 * True if a request comes from another site's page, for routes that change nothing and are meant for this service's
 * pages (at `publicUrl` or the request's host). Requests from outside a browser pass.
 */
export function isCrossSite(
  { headers }: Pick<IncomingMessage, "headers">,
  publicUrl: string | null,
): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const { host, origin } = headers;
  return (
    origin !== undefined &&
    (publicUrl === null || origin !== new URL(publicUrl).origin) &&
    URL.parse(origin)?.host !== host
  );
}

/**
 * True if another site's page may have forged a request that changes something. Browsers send `Origin` with such
 * requests. Without it, the request must be a script's.
 */
function mayBeForged(request: Request, origins: readonly string[]): boolean {
  if (SAFE_METHODS.has(request.method ?? "")) return false;
  const { origin } = request.headers;
  return origin === undefined
    ? !isOfScript(request)
    : !origins.includes(origin);
}

/**
 * True if a script of this service's pages, or a program, sent a request: it has a header that links, forms, and images
 * can't send, and scripts of other sites only after a preflight, which is never granted to requests with cookies.
 */
export function isOfScript({
  headers,
}: Pick<IncomingMessage, "headers">): boolean {
  return (headers["x-requested-with"] ?? "") !== "";
}

/** Makes the failure of a request that may be forged, or comes from another site. */
export function foreignOrigin(message: string): Failure {
  return { code: "foreign_origin", message };
}
