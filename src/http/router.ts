import findMyWay from "find-my-way";
import {
  bodiless,
  type Admit,
  type Handler,
  type Reply,
  type RouteMatch,
  type ServedRoute,
} from "./call.ts";
import { admitKey, BEARER_KEYS, registryKeys } from "./access/authorize.ts";
import { fileKeys } from "./access/file-access.ts";
import { admitAssistant } from "./access/assistant-gate.ts";
import { admitExplorer, admitList } from "./access/explorer-gate.ts";
import { refuseForged } from "./access/same-origin.ts";
import { MAX_URL_BYTES } from "./limits/server-limits.ts";
import {
  methodNotAllowed,
  notFound,
  notRemoved,
  OPEN_METHODS,
  Refusal,
} from "./pipeline/failure.ts";
import { PREFLIGHT_HEADERS } from "./pipeline/headers.ts";
import { notUtf8 } from "./pipeline/request-check.ts";
import { bodyReaderOf } from "./routes/account/request-body.ts";
import { notFoundPage } from "./routes/site/portal.ts";
import type { Access, Route, RouteContext } from "./routes/route.ts";

/** Finds the route of a method and a request target. Unknown paths and methods have one too. */
export type Router = (method: string, url: string) => RouteMatch;

/** The methods of a path. */
interface ServedPath {
  readonly byMethod: ReadonlyMap<string, ServedRoute>;
  /** For all other methods. */
  readonly other: ServedRoute;
}

/** Access whose responses other sites' scripts may not read. */
const OWN_PAGES: ReadonlySet<Access> = new Set([
  "explorer",
  "download",
  "check",
  "mcp",
  "session",
  "billing",
]);
/** Access whose requests wait for their turn, but look-ups, which take as little time as being queued. */
const QUEUED: ReadonlySet<Access> = new Set([
  "key",
  "registry_api",
  "explorer",
  "download",
  "check",
]);

/** Makes the router of the routes that the installation has. */
export function makeRouter(context: RouteContext): Router {
  const router = findMyWay({
    maxParamLength: MAX_URL_BYTES,
    querystringParser: () => ({}),
    onBadUrl: unreachable,
  });
  const served = context.routes.flatMap((route) => {
    const handle = route.handler(context);
    return handle === null ? [] : [{ route, handle }];
  });
  for (const [path, routes] of Map.groupBy(served, ({ route }) => route.path)) {
    const [first] = routes;
    if (first === undefined) continue;
    const byMethod = new Map<string, ServedRoute>();
    for (const { handle, route } of routes) {
      const ready = serve(route, handle, context);
      for (const method of [route.method].flat()) byMethod.set(method, ready);
    }
    const get = byMethod.get("GET");
    const allowed = allowedMethods(first.route.access, byMethod);
    if (get !== undefined) byMethod.set("HEAD", byMethod.get("HEAD") ?? get);
    const other = serveOthers(first.route, allowed);
    const store: ServedPath = { byMethod, other };
    router.on("GET", path, unreachable, store);
  }
  const unknown: RouteMatch = { route: serveUnknown(context), params: {} };
  const unreadable: RouteMatch = { ...unknown, route: serveUnreadable() };

  return function matchOf(method, url) {
    const found = router.find("GET", url);
    if (found === null) return unknown;
    if (found.store === null) return unreadable;
    const { params } = found;
    // A path parameter matches an empty text too; paths have no trailing slash.
    for (const name in params)
      if (params[name] === "" && name !== "*") return unknown;
    const { byMethod, other }: ServedPath = found.store;
    return { route: byMethod.get(method) ?? other, params };
  };
}

function serve(
  route: Route,
  handle: Handler,
  context: RouteContext,
): ServedRoute {
  const { access, compress = true, counted, isQuick = false, path } = route;
  return {
    path,
    counted,
    compress,
    handle,
    isQueued: QUEUED.has(access) && !isQuick,
    isForOwnPages: OWN_PAGES.has(access),
    admit: admitterOf(route, context),
    readBody: bodyReaderOf(route),
  };
}

/** Makes the check of a route's access. */
function admitterOf(route: Route, { deps, invalidKeys }: RouteContext): Admit {
  const { auth, billing, portal } = deps;
  switch (route.access) {
    case "key":
    case "file":
    case "registry_api": {
      const { access, counted } = route;
      const schemeOf = {
        key: () => BEARER_KEYS,
        file: fileKeys,
        registry_api: registryKeys,
      };
      const scheme = schemeOf[access](deps);
      return (call) => admitKey(call, counted, deps, invalidKeys, scheme);
    }
    case "mcp":
      return (call) => admitAssistant(call, deps, invalidKeys);
    case "explorer":
      if (portal === null) break;
      return (call) => admitExplorer(call, deps, portal);
    case "download":
      if (portal === null) break;
      return (call) => admitList(call, "export", deps, portal);
    case "check":
      if (portal === null) break;
      return (call) => admitList(call, "batch", deps, portal);
    case "session":
      return (call) => refuseForged(call, auth?.origins() ?? []);
    case "billing": {
      if (billing === null) break;
      const origins = [new URL(billing.publicUrl).origin];
      return (call) => refuseForged(call, origins);
    }
  }
  return () => null;
}

/** Lists the methods that a path accepts. On paths for other sites' scripts that includes OPTIONS. */
function allowedMethods(
  access: Access,
  byMethod: ReadonlyMap<string, ServedRoute>,
): string {
  return access !== "session" && byMethod.has("GET")
    ? OPEN_METHODS
    : [...byMethod.keys()].join(", ");
}

/**
 * Answers the methods that a path does not accept, before the key and the body. On a path that accepts GET, OPTIONS
 * lists the methods. On a path with cookies or POST, even OPTIONS is 405, so that browsers never send such a request
 * from another site's page.
 */
function serveOthers(
  { access, counted, path }: Route,
  allowed: string,
): ServedRoute {
  const isForOwnPages = OWN_PAGES.has(access);
  return withoutChecks({ path, counted, isForOwnPages }, ({ method }) => {
    if (method === "OPTIONS" && allowed === OPEN_METHODS)
      return isForOwnPages ? bodiless(204, ["allow", allowed]) : preflight();
    throw new Refusal(methodNotAllowed(method, allowed));
  });
}

/** Answers unknown paths. `OPTIONS *` is about the service as a whole. */
function serveUnknown({ deps }: RouteContext): ServedRoute {
  const showNotFound = notFoundPage(deps);
  return withoutChecks(
    { path: null, counted: "none", isForOwnPages: false },
    (call) => {
      const { method, url } = call;
      if (method === "OPTIONS" && url === "*") return preflight();
      const page = showNotFound(call);
      if (page !== null) return page;
      throw new Refusal(notRemoved(url, deps.settings.publicUrl) ?? notFound());
    },
  );
}

/** Answers paths that cannot be decoded. */
function serveUnreadable(): ServedRoute {
  return withoutChecks(
    { path: null, counted: "malformed", isForOwnPages: false },
    () => {
      throw new Refusal(notUtf8());
    },
  );
}

function withoutChecks(
  facts: Pick<ServedRoute, "path" | "counted" | "isForOwnPages">,
  handle: Handler,
): ServedRoute {
  return {
    ...facts,
    compress: true,
    isQueued: false,
    admit: () => null,
    readBody: null,
    handle,
  };
}

function preflight(): Reply {
  return bodiless(204, Object.entries(PREFLIGHT_HEADERS).flat());
}

/** Throws: `router.find` needs a handler, and doesn't call it. */
function unreachable(): never {
  throw new Error("The router was asked to answer.");
}
