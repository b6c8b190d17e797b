import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Failure, Refuse } from "../pipeline/failure.ts";
import { FIXED_HEADERS, PREFLIGHT_HEADERS } from "../pipeline/headers.ts";

declare module "fastify" {
  interface FastifyReply {
    /** Whether only this service's own pages may read the answer by a script. */
    isForOwnPages: boolean;
  }
}

/** The headers that let other sites' scripts send a request and read an answer. */
const CORS_HEADERS = Object.keys({
  ...FIXED_HEADERS,
  ...PREFLIGHT_HEADERS,
}).filter((name) => name.startsWith("access-control-"));
const HIDDEN_HEADERS = Object.entries({
  ...FIXED_HEADERS,
  "cache-control": "no-store",
}).filter(([name]) => !CORS_HEADERS.includes(name));

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
      refuse(
        request,
        reply,
        foreignOrigin(
          "Requests that change something must come from this service's own pages. Outside a browser, send the header X-Requested-With.",
        ),
      );
    else done();
  });
  hideFromOtherSites(app);
}

/** Hides answers from other sites' scripts and, unless they have an entity tag, from caches. */
export function hideFromOtherSites(app: FastifyInstance): void {
  app.addHook("onSend", (_request, reply, payload, done) => {
    removeSharing(reply);
    if (!reply.hasHeader("etag")) reply.header("cache-control", "no-store");
    done(null, payload);
  });
}

/** Removes what lets other sites' scripts read an answer. */
export function removeSharing(reply: FastifyReply): void {
  for (const name of CORS_HEADERS) reply.removeHeader(name);
}

/**
 * The same for an answer that is written without Fastify's `send`: its headers, in addition to those that the reply
 * has.
 */
export function hiddenHeaders(
  { id }: FastifyRequest,
  reply: FastifyReply,
): string[] {
  const own = Object.entries(reply.getHeaders());
  return [...HIDDEN_HEADERS, ["x-request-id", id], ...own].flat().map(String);
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
 * requests. Without it, the request must be a script's.
 */
function mayBeForged(
  request: Pick<IncomingMessage, "headers" | "method">,
  origins: readonly string[],
): boolean {
  if (SAFE_METHODS.has(request.method ?? "")) return false;
  const { origin } = request.headers;
  return origin === undefined
    ? !isOfScript(request)
    : !origins.includes(origin);
}

/**
 * Whether a script of this service's pages, or a program, sent a request: it has a header that links, forms, and images
 * can't send, and scripts of other sites only after a preflight, which is never granted to requests with cookies.
 */
export function isOfScript({
  headers,
}: Pick<IncomingMessage, "headers">): boolean {
  return (headers["x-requested-with"] ?? "") !== "";
}

/** The failure of a request that may be forged, or comes from another site. */
export function foreignOrigin(message: string): Failure {
  return { code: "foreign_origin", message };
}
