import type {
  FastifyError,
  FastifyInstance,
  RouteHandlerMethod,
} from "fastify";
import type { Operation } from "../../contract/operation.ts";
import { addAuthorization } from "../access/authorize.ts";
import { explorerGate } from "../access/explorer-gate.ts";
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
    /** What answers of the route count as; without it, as no such path. */
    readonly counted?: Answered;
    /** What usage counts behind a key. */
    readonly usage?: Operation;
  }
}

/** A route with its handler in one app. */
interface ServedRoute {
  readonly route: Route;
  readonly handler: RouteHandlerMethod;
}

/** Adds the routes that the installation has, and the answers to methods that their paths do not take. */
export async function addRoutes(
  app: FastifyInstance,
  context: RouteContext,
  invalidKeys: InvalidKeyLimiter,
): Promise<void> {
  // The path parameter of a look-up would match an empty text too; no path ends in a slash.
  app.all("/v1/providers/", {
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
      else for (const each of routes) addOpen(app, part, each, context);
      done();
    });
  }
}

/** The checks before the handlers of a part of the app, and how bodies and failures are treated there. */
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
      addAuthorization(part, deps, refuse, invalidKeys);
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

/** Adds a route that has one method beside OPTIONS and HEAD. Other methods are answered by `app`, without the part's checks. */
function addOpen(
  app: FastifyInstance,
  part: FastifyInstance,
  { handler, route }: ServedRoute,
  { refuse }: RouteContext,
): void {
  const { access, bodyLimit, compress, counted, path: url } = route;
  part.route({
    method: [route.method].flat(),
    url,
    handler,
    config: access === "key" ? { counted, usage: counted } : { counted },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    ...(compress === undefined ? {} : { compress }),
  });
  answerOtherMethods(app, url, route.method === "POST", counted, refuse);
}

/** Adds routes that scripts of other sites cannot ask. Other methods pass the part's checks before they are refused. */
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
 * What people use with a session in a cookie: unlike the rest it reads bodies, is closed to scripts of other sites, and is
 * stored by nobody.
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
