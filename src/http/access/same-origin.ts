import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Failure, Refuse } from "../pipeline/failure.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Protects routes with cookies: rejects requests from other sites that change something, and hides all answers from
 * other sites' scripts and from caches.
 */
export function refuseCrossSite(
  app: FastifyInstance,
  origins: () => readonly string[],
  refuse: Refuse,
): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (mayBeForged(request.raw, origins()))
      refuse(request, reply, foreignOrigin());
    else done();
  });
  hideFromOtherSites(app);
}

/** Hides answers from other sites' scripts and from caches. */
export function hideFromOtherSites(app: FastifyInstance): void {
  app.addHook("onSend", (_request, reply, payload, done) => {
    reply.removeHeader("access-control-allow-origin");
    reply.removeHeader("access-control-expose-headers");
    reply.header("cache-control", "no-store");
    done(null, payload);
  });
}

/**
 * Whether a request comes from another site's page, for routes that change nothing and are meant for this service's
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
 * Whether another site's page may have forged a request that changes something. Browsers send `Origin` with such
 * requests. Without it, the request needs a header that a page cannot send to another origin without a preflight, which
 * is never granted.
 */
function mayBeForged(
  { headers, method = "" }: Pick<IncomingMessage, "headers" | "method">,
  origins: readonly string[],
): boolean {
  if (SAFE_METHODS.has(method)) return false;
  const { origin } = headers;
  if (origin !== undefined) return !origins.includes(origin);
  return (headers["x-requested-with"] ?? "") === "";
}

function foreignOrigin(): Failure {
  return {
    code: "foreign_origin",
    message:
      "Requests that change something must come from this service's own pages. Outside a browser, send the header X-Requested-With.",
  };
}
