import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Failure, Refuse } from "../pipeline/failure.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Closes a part of the app to pages of other sites: what changes something is refused to them, no answer can be read by
 * their scripts, and nobody stores one.
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

/** Keeps the answers of a part of the app from scripts of other sites, and from being stored. */
export function hideFromOtherSites(app: FastifyInstance): void {
  app.addHook("onSend", (_request, reply, payload, done) => {
    reply.removeHeader("access-control-allow-origin");
    reply.removeHeader("access-control-expose-headers");
    reply.header("cache-control", "no-store");
    done(null, payload);
  });
}

/**
 * Whether a request comes from the page of another site, as browsers tell it; for paths that change nothing and are meant
 * for the service's own pages, which are at `publicUrl` or where the request went. What is no browser says nothing.
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
 * Whether a request that changes something may have been forged by the page of another site. Browsers name the origin
 * of every such request; what names none has to carry a header that a page cannot send elsewhere without being asked
 * (and nobody is answered who asks).
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
