import type { SearchEntry } from "../../../contract/provider.ts";
import { checkNpi } from "../../../registry/npi.ts";
import type { Directory } from "../../../search/directory.ts";
import { guidePage } from "../../../site/guide-pages.ts";
import {
  PAGE_PATHS,
  matchPage,
  type PageMatch,
  type PageName,
} from "../../../site/page-paths.ts";
import { LOGO_PATH } from "../../../site/portal-config.ts";
import { publicPath } from "../../../text/public-path.ts";
import { isExplorerOpen } from "../../access/explorer-gate.ts";
import type { AppContext, PortalDependencies } from "../../app-context.ts";
import {
  fileReply,
  isCurrent,
  type BuiltSite,
} from "../../pages/built-site.ts";
import { plainConfirmation } from "../../pages/plain-pages.ts";
import {
  headHtml,
  headOf,
  unknownHead,
  type PageHead,
} from "../../pages/page-head.ts";
import { portalConfig } from "../../pages/portal-config.ts";
import {
  bodiless,
  content,
  json,
  redirect,
  type Call,
  type Handler,
  type Reply,
} from "../../call.ts";
import { prefersPage } from "../../pipeline/accept.ts";
import { notFound, Refusal } from "../../pipeline/failure.ts";
import {
  HTML_TYPE,
  NO_STORE,
  PAGE_HEADERS,
  TEXT_TYPE,
  withHeaders,
  type HeaderList,
} from "../../pipeline/headers.ts";
import { plainReference } from "./documentation.ts";
import { hasPages, type Route, type RouteContext } from "../route.ts";

const ASSET_HEADERS = [
  "cache-control",
  "public, max-age=31536000, immutable",
  // The map's worker loads shapes from this service.
  "content-security-policy",
  "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
  "cross-origin-resource-policy",
  "same-origin",
];
/** An SVG may have its own styles. It runs no script and loads nothing, also if it is opened as a page. */
const LOGO_HEADERS = withHeaders(
  [...ASSET_HEADERS],
  [
    "content-security-policy",
    "default-src 'none'; frame-ancestors 'none'; sandbox; style-src 'unsafe-inline'",
  ],
);
const API_PATH = /^\/v1(?:[/?]|$)/;

/** Pages that also work without the portal, as plain ones. */
const PLAIN_PAGES: Partial<Readonly<Record<string, Route["handler"]>>> = {
  [PAGE_PATHS.reference]: plainReference,
  [PAGE_PATHS["confirm-email"]]: plainConfirmation,
};

/** The paths that pages have moved to, by their former paths. */
const MOVED_PAGES: ReadonlyMap<string, string> = new Map([
  ["/guide/accounts", "/guide/keys-and-quotas"],
]);

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
  handler({ deps }) {
    const site = deps.portal?.site ?? null;
    if (site === null) return null;
    return async (call) => {
      const file = site.asset(call.params["name"] ?? "");
      const reply = file && (await fileReply(call, file, ASSET_HEADERS));
      if (reply === null) throw new Refusal(notFound());
      return reply;
    };
  },
};

/** `GET /logo/NAME`: the operator's logo (`PORTAL_LOGO`). Its name changes with its contents. */
const LOGO_ROUTE: Route = {
  method: "GET",
  path: `${LOGO_PATH}/:name`,
  access: "public",
  counted: "asset",
  compress: false,
  handler({ deps }) {
    const logo = deps.portal?.settings.logo ?? null;
    if (logo === null) return null;
    const { bytes, name, type } = logo;
    const headers = [...LOGO_HEADERS, "etag", `"${name}"`];
    return ({ headers: asked, params }) => {
      if (params["name"] !== name) throw new Refusal(notFound());
      return isCurrent(asked, name)
        ? bodiless(304, headers)
        : content(Buffer.from(bytes), type, headers);
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
    return () => json({ data: portalConfig(deps, portal), meta: {} }, NO_STORE);
  },
};

export const PORTAL_ROUTES: readonly Route[] = [
  ...PAGE_ROUTES,
  ASSET_ROUTE,
  LOGO_ROUTE,
  FACTS_ROUTE,
];

/** Makes the function that answers browsers with the not-found page; null for other clients. */
export function notFoundPage({
  portal,
  settings: { publicUrl },
}: AppContext): (call: Call) => Reply | null {
  if (portal === null || portal.site === null) return () => null;
  const pageOf = pageMaker(portal, portal.site);
  return function notFoundPageOf(call) {
    if (!isVisit(call)) return null;
    const place = matchPage(pathOf(call));
    return pageOf(call, null, unknownHead(place, publicUrl));
  };
}

/** Serves the portal's pages. If it could not be built, they say so. */
function pageHandler({ deps }: RouteContext): Handler | null {
  const { portal } = deps;
  if (portal === null) return null;
  if (portal.site === null) return unbuilt;
  const pageOf = pageMaker(portal, portal.site);
  const notFoundPageOf = notFoundPage(deps);
  return (call) => {
    const moved = MOVED_PAGES.get(pathOf(call));
    if (moved !== undefined)
      return redirect(publicPath(deps.settings.publicUrl, moved), [
        "cache-control",
        "no-cache",
      ]);
    const place = matchPage(pathOf(call));
    const data = isExplorerOpen(deps, portal) ? deps.data.current : null;
    const provider =
      place === null ? "unknown" : providerOf(deps, portal, place, data, call);
    if (place === null || provider === "unknown") {
      const page = notFoundPageOf(call);
      if (page === null) throw new Refusal(notFound());
      return page;
    }
    const visit = { place, url: call.url, data, provider };
    return pageOf(call, place.page, headOf(visit, deps.settings.publicUrl));
  };
}

/** Makes the function that makes replies of pages; `page` is null for one that isn't found, which is never current. */
function pageMaker(
  { settings: { name, tiles } }: PortalDependencies,
  site: BuiltSite,
): (call: Call, page: PageName | null, head: PageHead) => Reply {
  const common = [...portalPageHeaders(tiles), "cache-control", "no-cache"];
  return ({ headers: asked }, page, head) => {
    const { html, tag } = site.page(page, headHtml(head, name));
    const vary = page === null ? "Accept, Sec-Fetch-Mode, " : "";
    const headers = [...common, "etag", `W/"${tag}"`];
    headers.push("vary", `${vary}Accept-Encoding`);
    // The page's requests still send `Origin`, which the service checks.
    if (SECRET_PAGES.has(page))
      withHeaders(headers, ["referrer-policy", "no-referrer"]);
    const reply =
      page !== null && isCurrent(asked, tag)
        ? bodiless(304, headers)
        : content(html, HTML_TYPE, headers, page === null ? 404 : 200);
    // A page may name a provider, which other sites' scripts can't look up without a key.
    return { ...reply, isForOwnPages: true };
  };
}

/**
 * Finds a provider page's provider: "unknown" if its NPI is invalid or not in the registry, null for other pages, and
 * if it may not be said. It is only looked up in `data` of an open explorer and within its rate limit: otherwise anyone
 * could look up NPIs uncounted. "unknown" too for a page of the guide that the installation doesn't show.
 */
function providerOf(
  deps: AppContext,
  { limiter, settings: { guide } }: PortalDependencies,
  { page, parameters: { npi = "", page: name = "" } }: PageMatch,
  data: Directory | null,
  { ip }: Call,
): SearchEntry | "unknown" | null {
  if (page === "guide-page" && guidePage(name, guide) === undefined)
    return "unknown";
  if (page !== "provider") return null;
  if (checkNpi(npi) !== "ok") return "unknown";
  if (data === null || !limiter.take(ip, deps.now()).allowed) return null;
  return data.lookup.entry(npi) ?? "unknown";
}

function pathOf({ url }: Call): string {
  return url.split("?", 1)[0] ?? "";
}

/** True if a browser navigates to a path; never under /v1. */
function isVisit({ headers, method, url }: Call): boolean {
  const mode = headers["sec-fetch-mode"] ?? "navigate";
  return (
    (method === "GET" || method === "HEAD") &&
    mode === "navigate" &&
    !API_PATH.test(url) &&
    prefersPage(headers.accept)
  );
}

function unbuilt(): Reply {
  return content(
    'These pages are not built. The API works: see /docs.\n\nIf you run this service: its log says why. Usually, "npm run build" in the program\'s folder and a restart help.\n',
    TEXT_TYPE,
    NO_STORE,
    503,
  );
}

/**
 * Makes the headers of the portal's pages. They may load only from this service and from the map's tile server, if
 * configured, and use the geolocation of the user. No inline scripts or styles, so injected ones do not run.
 */
function portalPageHeaders(tiles: string | null): HeaderList {
  const { origin = null } = URL.parse(tiles ?? "") ?? {};
  const host = origin === null ? "" : ` ${origin}`;
  return Object.entries({
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
  }).flat();
}
