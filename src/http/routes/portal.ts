import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import { checkNpi } from "../../registry/npi.ts";
import { guidePage } from "../../site/guide-pages.ts";
import {
  PAGE_PATHS,
  matchPage,
  type PageMatch,
} from "../../site/page-paths.ts";
import { isExplorerOpen } from "../access/explorer-gate.ts";
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

/** The portal's pages, one HTML file for all paths. The reference also works without the portal, as a plain page. */
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

/** `GET /portal.json`: the configuration of the portal's pages. */
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

/** Sends a browser the not-found page. Returns false without an answer for other clients. */
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

/** If the portal could not be built, its pages say so. */
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
    const isFound =
      place !== null &&
      isShown(portal, place) &&
      !isUnknownProvider(deps, portal, place, request);
    if (isFound) return send(request, reply);
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

/** Whether the installation shows a page of its guide; true for all other pages. */
function isShown(
  { settings }: PortalDependencies,
  { page, parameters }: PageMatch,
): boolean {
  const name = parameters["page"] ?? "";
  return page !== "guide-page" || guidePage(name, settings.guide) !== undefined;
}

/**
 * Whether a page's NPI is invalid or not in the registry. Only checked within the explorer's rate limit and if the
 * explorer is open: otherwise anyone could look up NPIs uncounted.
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
    isExplorerOpen(deps, portal) &&
    portal.bursts.page.take(ip, deps.now()).allowed &&
    data.find(npi) === null
  );
}

/** Whether a browser navigates to a path; never under /v1. */
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
 * The headers of the portal's pages. They may load only from this service and from the map's tile server, if
 * configured, and use the geolocation of the user. No inline scripts or styles, so injected ones do not run.
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
    // With no-referrer, some browsers would not send `Origin` with the page's requests.
    "referrer-policy": "same-origin",
  };
}
