import type {
  FastifyError,
  FastifyInstance,
  RouteHandlerMethod,
} from "fastify";
import type { Operation } from "../../contract/operation.ts";
import { addAuthorization, BEARER_KEYS } from "../access/authorize.ts";
import type { ExplorerCost } from "../access/explorer-bursts.ts";
import { explorerGate } from "../access/explorer-gate.ts";
import { registryKeys } from "../access/registry-keys.ts";
import { refuseCrossSite, hideFromOtherSites } from "../access/same-origin.ts";
import type { InvalidKeyLimiter } from "../access/authorize.ts";
import { MAX_BODY_BYTES } from "../limits/server-limits.ts";
import type { Answered } from "../pipeline/answer-counts.ts";
import { notFound, type Failure } from "../pipeline/failure.ts";
import { answerOtherMethods, methodNotAllowed } from "../pipeline/methods.ts";
import { guardBilling } from "./account/account-billing.ts";
import { readEvents } from "./account/billing-webhook.ts";
import type { Access, Route, RouteContext } from "./route.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the route's answers count as; by default, as an unknown path. */
    readonly counted?: Answered;
    /** What requests with a key count as. */
    readonly usage?: Operation;
    /** What a request of the explorer counts as; by default a page. */
    readonly explorerCost?: ExplorerCost;
  }
}

const EMPTY_PARAMETER_PATHS = ["/v1/providers/", "/v1/taxonomies/"];

/** A route and its handler. */
interface ServedRoute {
  readonly route: Route;
  readonly handler: RouteHandlerMethod;
}

/** Adds the installation's routes, and answers to methods that their paths do not accept. */
export async function addRoutes(
  app: FastifyInstance,
  context: RouteContext,
  invalidKeys: InvalidKeyLimiter,
): Promise<void> {
  // A path parameter would match an empty text too; paths have no trailing slash.
  for (const path of EMPTY_PARAMETER_PATHS)
    app.all(path, {
      onRequest: (request, reply) =>
        void context.refuse(request, reply, notFound()),
      handler: (request, reply) => context.refuse(request, reply, notFound()),
    });
  const served = context.routes.flatMap((route): ServedRoute[] => {
    const handler = route.handler(context);
    return handler === null ? [] : [{ route, handler }];
  });
  for (const [access, routes] of Map.groupBy(
    served,
    ({ route }) => route.access,
  )) {
    await app.register((part, _options, done) => {
      guard(access, part, context, invalidKeys);
      if (access === "session") addClosed(part, routes, context);
      else for (const each of routes) addOpen(part, each);
      done();
    });
    if (access === "session") continue;
    await app.register((others, _options, done) => {
      if (access === "explorer") hideFromOtherSites(others);
      for (const { route } of routes)
        answerOtherMethods(
          others,
          route.path,
          route.method === "POST",
          route.counted,
          context.refuse,
        );
      done();
    });
  }
}

/** The checks before the handlers of a group of routes, and the handling of their bodies and errors. */
function guard(
  access: Access,
  part: FastifyInstance,
  context: RouteContext,
  invalidKeys: InvalidKeyLimiter,
): void {
  const { deps, refuse } = context;
  switch (access) {
    case "public":
      return;
    case "key":
      addAuthorization(part, deps, refuse, invalidKeys, BEARER_KEYS);
      return;
    case "registry_api":
      addAuthorization(part, deps, refuse, invalidKeys, registryKeys(deps));
      return;
    case "explorer":
      if (deps.portal === null) return;
      hideFromOtherSites(part);
      part.addHook("onRequest", explorerGate(deps, deps.portal, refuse));
      return;
    case "session":
      guardSession(part, context);
      return;
    case "billing":
      guardBilling(part, context);
      return;
    case "webhook":
      readEvents(part, context);
  }
}

/** Adds a route with one method in addition to HEAD. Other methods are answered without the group's checks. */
function addOpen(part: FastifyInstance, { handler, route }: ServedRoute): void {
  const {
    access,
    bodyLimit,
    compress,
    counted,
    explorerCost,
    path: url,
  } = route;
  part.route({
    method: [route.method].flat(),
    url,
    handler,
    config:
      access === "key" || access === "registry_api"
        ? { counted, usage: counted }
        : { counted, ...(explorerCost === undefined ? {} : { explorerCost }) },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    ...(compress === undefined ? {} : { compress }),
  });
}

/**
 * Adds routes that other sites' scripts cannot call. Other methods pass the group's checks before they are rejected.
 */
function addClosed(
  part: FastifyInstance,
  served: readonly ServedRoute[],
  { refuse }: RouteContext,
): void {
  for (const [url, routes] of Map.groupBy(served, ({ route }) => route.path)) {
    const handlers = new Map<string, RouteHandlerMethod>(
      routes.flatMap(({ handler, route }) =>
        [route.method].flat().map((method) => [method, handler] as const),
      ),
    );
    const allowed = [...handlers.keys()].join(", ");
    part.all(url, {
      config: { counted: routes[0]!.route.counted },
      handler(request, reply) {
        const { method } = request;
        const handler =
          handlers.get(method) ??
          (method === "HEAD" ? handlers.get("GET") : undefined);
        return handler === undefined
          ? refuse(request, reply, methodNotAllowed(method, allowed))
          : handler.call(part, request, reply);
      },
    });
  }
}

/**
 * Routes with a session cookie: unlike the rest they read bodies, reject other sites' requests, and are never cached.
 */
function guardSession(
  part: FastifyInstance,
  { deps: { auth }, refuse }: RouteContext,
): void {
  part.removeAllContentTypeParsers();
  part.addContentTypeParser(
    "application/json",
    { parseAs: "string", bodyLimit: MAX_BODY_BYTES },
    (_request, body, done) => done(null, body),
  );
  refuseCrossSite(part, () => auth?.origins() ?? [], refuse);
  part.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = bodyFailure(error);
    if (failure === null) throw error;
    return refuse(request, reply, failure);
  });
}

function bodyFailure({ code, statusCode }: FastifyError): Failure | null {
  if (statusCode === 413)
    return {
      code: "body_too_large",
      message: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
    };
  if (statusCode === 415)
    return {
      code: "unsupported_media_type",
      message: "Send the body as JSON, with Content-Type: application/json.",
    };
  return code.startsWith("FST_ERR_CTP_")
    ? { code: "invalid_body", message: "The body cannot be read." }
    : null;
}
