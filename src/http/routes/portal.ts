import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import { checkNpi } from "../../registry/npi.ts";
import {
  PAGE_PATHS,
  matchPage,
  type PageMatch,
} from "../../site/page-paths.ts";
import { isOpen } from "../access/explorer-gate.ts";
import type { AppContext, PortalDependencies } from "../app-context.ts";
import { sendFile, type BuiltSite } from "../pages/built-site.ts";
import { portalConfig } from "../pages/portal-config.ts";
import { prefersPage } from "../pipeline/accept.ts";
import { notFound } from "../pipeline/failure.ts";
import { PAGE_HEADERS } from "../pipeline/headers.ts";
import { plainReference } from "./documentation.ts";
import { hasPages, type Route, type RouteContext } from "./route.ts";

const IMMUTABLE = "public, max-age=31536000, immutable";
const API_PATH = /^\/v1(?:[/?]|$)/;

/** The portal's pages: one page for all paths. The reference is there without the portal too, as a plain page. */
const PAGE_ROUTES: readonly Route[] = Object.values(PAGE_PATHS).map((path) => ({
  method: "GET",
  path,
  access: "public",
  counted: "page",
  compress: false,
  handler: (context) =>
    path === PAGE_PATHS.reference && !hasPages(context.deps)
      ? plainReference(context)
      : pageHandler(context),
}));

const ASSET_ROUTE: Route = {
  method: "GET",
  path: "/assets/:name",
  access: "public",
  counted: "asset",
  compress: false,
  handler({ deps, refuse }) {
    const site = deps.portal?.site ?? null;
    if (site === null) return null;
    return (request, reply) => {
      const { name } = Object.assign({ name: "" }, request.params);
      const file = site.asset(name);
      if (file === null) return refuse(request, reply, notFound());
      reply
        .header("cache-control", IMMUTABLE)
        .header("cross-origin-resource-policy", "same-origin");
      return sendFile(request, reply, file);
    };
  },
};

/** `GET /portal.json`: what the pages need to know of the installation. */
const FACTS_ROUTE: Route = {
  method: "GET",
  path: "/portal.json",
  access: "public",
  counted: "page",
  handler({ deps }) {
    const { portal } = deps;
    if (portal === null) return null;
    return (_request, reply) => {
      reply.header("cache-control", "no-store");
      return { data: portalConfig(deps, portal), meta: {} };
    };
  },
};

export const PORTAL_ROUTES: readonly Route[] = [
  ...PAGE_ROUTES,
  ASSET_ROUTE,
  FACTS_ROUTE,
];

/** Shows a browser that there is nothing at a path; false for any other client, which is not answered. */
export type ShowNotFound = (
  request: FastifyRequest,
  reply: FastifyReply,
) => boolean;

export function notFoundPage({ portal }: AppContext): ShowNotFound {
  if (portal === null || portal.site === null) return () => false;
  const send = pageSender(portal, portal.site);
  return function showNotFound(request, reply) {
    if (!isVisit(request)) return false;
    reply.header("vary", "Accept, Sec-Fetch-Mode");
    void send(request, reply.code(404));
    return true;
  };
}

/** Without a built site the pages say so. */
function pageHandler({
  deps,
  refuse,
}: RouteContext): RouteHandlerMethod | null {
  const { portal } = deps;
  if (portal === null) return null;
  if (portal.site === null) return (_request, reply) => sendUnbuilt(reply);
  const send = pageSender(portal, portal.site);
  const showNotFound = notFoundPage(deps);
  return (request, reply) => {
    const [path = ""] = request.url.split("?");
    const place = matchPage(path);
    if (place !== null && !isUnknownProvider(deps, portal, place, request))
      return send(request, reply);
    return showNotFound(request, reply)
      ? reply
      : refuse(request, reply, notFound());
  };
}

function pageSender({ settings }: PortalDependencies, { page }: BuiltSite) {
  const headers = portalPageHeaders(settings.tiles);
  return (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(headers).header("cache-control", "no-cache");
    return sendFile(request, reply, page);
  };
}

/**
 * Whether it is the page of an NPI that is not in the registry, or is none. What NPIs there are is told within the
 * explorer's limit, and where it is open to everybody: else a stranger would learn it uncounted.
 */
function isUnknownProvider(
  deps: AppContext,
  portal: PortalDependencies,
  { page, parameters }: PageMatch,
  { ip }: FastifyRequest,
): boolean {
  if (page !== "provider") return false;
  const npi = parameters["npi"] ?? "";
  if (checkNpi(npi) !== "ok") return true;
  const data = deps.data.current;
  return (
    data !== null &&
    isOpen(deps, portal) &&
    portal.ipRateLimiter.take(ip, deps.now()).allowed &&
    data.find(npi) === null
  );
}

/** Whether a browser goes to a path, for which it wants a page; nothing below /v1 is for browsers. */
function isVisit({ headers, method, url }: FastifyRequest): boolean {
  const mode = headers["sec-fetch-mode"] ?? "navigate";
  return (
    (method === "GET" || method === "HEAD") &&
    mode === "navigate" &&
    !API_PATH.test(url) &&
    prefersPage(headers.accept)
  );
}

function sendUnbuilt(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .header("cache-control", "no-store")
    .type("text/plain; charset=utf-8")
    .send(
      "The portal could not be built. See the service's log. The API works: see /docs.\n",
    );
}

/**
 * What the portal's pages may do: load from this service alone, and from the host of the map's tiles where one is
 * configured; ask where they are. Nothing stands in the page itself, so that nothing that gets into it is run.
 */
function portalPageHeaders(
  tiles: string | null,
): Readonly<Record<string, string>> {
  const host = tiles === null ? "" : ` ${new URL(tiles).origin}`;
  return {
    ...PAGE_HEADERS,
    "content-security-policy": [
      "default-src 'none'",
      "base-uri 'none'",
      `connect-src 'self'${host}`,
      "font-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      `img-src 'self' data: blob:${host}`,
      "script-src 'self'",
      "style-src 'self'",
      "worker-src 'self'",
    ].join("; "),
    "permissions-policy":
      "camera=(), geolocation=(self), microphone=(), payment=(), usb=()",
    // With no-referrer some browsers would not name the origin of what a page sends.
    "referrer-policy": "same-origin",
  };
}
