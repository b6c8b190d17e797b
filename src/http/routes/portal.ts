import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { SearchEntry } from "../../contract/provider.ts";
import { checkNpi } from "../../registry/npi.ts";
import type { Directory } from "../../search/directory.ts";
import { guidePage } from "../../site/guide-pages.ts";
import {
  PAGE_PATHS,
  matchPage,
  type PageMatch,
  type PageName,
} from "../../site/page-paths.ts";
import { isExplorerOpen } from "../access/explorer-gate.ts";
import type { AppContext, PortalDependencies } from "../app-context.ts";
import { isHeld, sendFile, type BuiltSite } from "../pages/built-site.ts";
import { headHtml, type PageHead } from "../pages/page-head.ts";
import { headOf, unknownHead } from "../pages/page-preview.ts";
import { portalConfig } from "../pages/portal-config.ts";
import { prefersPage } from "../pipeline/accept.ts";
import { notFound } from "../pipeline/failure.ts";
import { PAGE_HEADERS } from "../pipeline/headers.ts";
import { plainConfirmation } from "./account/confirmation.ts";
import { plainReference } from "./documentation.ts";
import { hasPages, type Route, type RouteContext } from "./route.ts";

const HTML_TYPE = "text/html; charset=utf-8";
const ASSET_HEADERS = {
  "cache-control": "public, max-age=31536000, immutable",
  // The map's worker loads shapes from this service.
  "content-security-policy":
    "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
};
const API_PATH = /^\/v1(?:[/?]|$)/;

/** Pages that also work without the portal, as plain ones. */
const PLAIN_PAGES: Partial<Readonly<Record<string, Route["handler"]>>> = {
  [PAGE_PATHS.reference]: plainReference,
  [PAGE_PATHS["confirm-email"]]: plainConfirmation,
};

/** Pages whose address has a secret: the token of a mailed link. */
const SECRET_PAGES: ReadonlySet<PageName | null> = new Set([
  "confirm-email",
  "reset-password",
]);

/** The portal's pages, one HTML file for all paths. */
const PAGE_ROUTES: readonly Route[] = Object.values(PAGE_PATHS).map((path) => ({
  method: "GET",
  path,
  access: "public",
  counted: "page",
  handler: (context) =>
    ((!hasPages(context.deps) && PLAIN_PAGES[path]) || pageHandler)(context),
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
    return async (request, reply) => {
      const { name } = Object.assign({ name: "" }, request.params);
      const file = site.asset(name);
      const sent =
        file && (await sendFile(request, reply, file, ASSET_HEADERS));
      return sent ?? refuse(request, reply, notFound());
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

export function notFoundPage({
  portal,
  settings: { publicUrl },
}: AppContext): ShowNotFound {
  if (portal === null || portal.site === null) return () => false;
  const send = pageSender(portal, portal.site);
  return function showNotFound(request, reply) {
    if (!isVisit(request)) return false;
    reply.header("vary", "Accept, Sec-Fetch-Mode");
    const place = matchPage(pathOf(request.url).path);
    void send(request, reply.code(404), null, unknownHead(place, publicUrl));
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
    const { path, query } = pathOf(request.url);
    const place = matchPage(path);
    const data = isExplorerOpen(deps, portal) ? deps.data.current : null;
    const provider =
      place === null || !isShown(portal, place)
        ? "unknown"
        : providerOf(deps, portal, place, data, request);
    if (place === null || provider === "unknown")
      return showNotFound(request, reply)
        ? reply
        : refuse(request, reply, notFound());
    const visit = { place, path, query, data, provider };
    const head = headOf(visit, deps.settings.publicUrl);
    return send(request, reply, place.page, head);
  };
}

function pathOf(url: string): {
  readonly path: string;
  readonly query: string;
} {
  const [path = "", ...query] = url.split("?");
  return { path, query: query.join("?") };
}

function pageSender(
  { settings: { name, tiles } }: PortalDependencies,
  { page: template }: BuiltSite,
) {
  const headers = portalPageHeaders(tiles);
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    page: PageName | null,
    head: PageHead,
  ) => {
    const { html, tag } = template.fill(page, headHtml(head, name));
    // A page may name a provider, which other sites' scripts can't look up without a key.
    reply.isForOwnPages = true;
    reply.headers(headers).header("cache-control", "no-cache");
    // The page's requests still send `Origin`, which the service checks.
    if (SECRET_PAGES.has(page)) reply.header("referrer-policy", "no-referrer");
    return isHeld(request, reply, tag)
      ? reply.code(304).send()
      : reply.type(HTML_TYPE).send(html);
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
 * The provider of a provider's page: "unknown" if its NPI is invalid or not in the registry, null for other pages, and
 * if it may not be said. It is only looked up in `data` of an open explorer and within its rate limit: otherwise anyone
 * could look up NPIs uncounted.
 */
function providerOf(
  deps: AppContext,
  { bursts }: PortalDependencies,
  { page, parameters }: PageMatch,
  data: Directory | null,
  { ip }: FastifyRequest,
): SearchEntry | "unknown" | null {
  if (page !== "provider") return null;
  const npi = parameters["npi"] ?? "";
  if (checkNpi(npi) !== "ok") return "unknown";
  if (data === null || !bursts.page.take(ip, deps.now()).allowed) return null;
  return data.entry(npi) ?? "unknown";
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
      'These pages are not built. The API works: see /docs.\n\nIf you run this service: its log says why. Usually, "npm run build" in the program\'s folder and a restart help.\n',
    );
}

/**
 * The headers of the portal's pages. They may load only from this service and from the map's tile server, if
 * configured, and use the geolocation of the user. No inline scripts or styles, so injected ones do not run.
 */
function portalPageHeaders(
  tiles: string | null,
): Readonly<Record<string, string>> {
  const { origin = null } = URL.parse(tiles ?? "") ?? {};
  const host = origin === null ? "" : ` ${origin}`;
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
