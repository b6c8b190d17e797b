import type { IncomingMessage } from "node:http";
import fastify from "fastify";
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
} from "fastify";
import { clientErrorHandler, writeFailure } from "./pipeline/client-error.ts";
import { queuedTooLong } from "./limits/account-share.ts";
import { limitConnections } from "./limits/connection-limit.ts";
import { DataAnswers } from "./pipeline/answer-data.ts";
import { addCompression } from "./pipeline/compression.ts";
import { DownloadAnswers } from "./exports/answer-download.ts";
import { exportOperation } from "./exports/answer-export.ts";
import { ExportFiles } from "./exports/export-files.ts";
import type { AppContext } from "./app-context.ts";
import type { TrustedProxies } from "../settings/addresses.ts";
import {
  type Failure,
  internalError,
  notFound,
  notRemoved,
  refuseWith,
} from "./pipeline/failure.ts";
import {
  FIXED_HEADERS,
  PREFLIGHT_HEADERS,
  requestId,
} from "./pipeline/headers.ts";
import { addOtherMethods, methodNotAllowed } from "./pipeline/methods.ts";
import { withoutPorts } from "./access/client-address.ts";
import { InvalidKeyLimiter } from "./access/authorize.ts";
import { afterAnswers, finishHalfOpen } from "./limits/node-connection.ts";
import { checkRequest, malformed } from "./pipeline/request-check.ts";
import { orderRequests } from "./pipeline/request-listener.ts";
import { Pipelining } from "./limits/pipelining.ts";
import { noteAnswer } from "./pipeline/request-log.ts";
import { HELD } from "./pipeline/write-answer.ts";
import { addRoutes } from "./routes/add-routes.ts";
import type { RouteContext } from "./routes/route.ts";
import { removeSharing } from "./access/same-origin.ts";
import { notFoundPage } from "./routes/portal.ts";
import { ROUTES } from "./routes/table.ts";
import { endStalled } from "./limits/stalled-clients.ts";
import { turnLengthOf, turnsOf } from "./limits/fair-queue.ts";
import {
  CONNECTION_BUFFER_BYTES,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_URL_BYTES,
  MAX_CONNECTIONS,
  PARSER_BYTES,
  REQUEST_TIMEOUT_MS,
  STALLED_MS,
} from "./limits/server-limits.ts";

const POLICY = "content-security-policy";
const EXPOSED = "access-control-expose-headers";

/**
 * Makes the HTTP app, ready to `listen` or `inject`. Checks run in this order: the request can be read, the path
 * exists, it accepts the method, the key, the burst limit (`authorize.ts`), the parameters (routes), data is loaded,
 * the monthly quota (`admission.ts`), the data.
 */
export async function buildApp(deps: AppContext): Promise<FastifyInstance> {
  const { answerCounts } = deps;
  const refuse = refuseWith(deps, answerCounts);
  const invalidKeys = new InvalidKeyLimiter(deps.settings.trustProxy === null);
  const showNotFound = notFoundPage(deps);
  const refuseUnreadable = clientErrorHandler(deps);
  const app: FastifyInstance = fastify({
    http: {
      maxHeaderSize: PARSER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      highWaterMark: CONNECTION_BUFFER_BYTES,
      // Node would answer these without our body; `request-check.ts` handles them.
      requireHostHeader: false,
    },
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // Requests that arrive during shutdown get a proper answer, not Fastify's own 503.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_URL_BYTES },
    genReqId: (request) => requestId(request, deps.makeRequestId),
    trustProxy: trustProxyOf(deps.settings.trustProxy),
    // Fastify gets no logger, because it would make one per request. The hook below and the error handler log.
    logger: false,
    // Fastify would load its compilers of schemas, 33 ms for each thread, though no route passes it a schema.
    schemaController: {
      compilersFactory: {
        buildValidator: refuseSchemas,
        buildSerializer: refuseSchemas,
      },
    },
    clientErrorHandler(error, socket) {
      if (pipelining.hold(error, socket)) return;
      HELD.send();
      refuseUnreadable(error, socket);
    },
    frameworkErrors(error, request, reply) {
      // A target that the router cannot decode, or that is too long for it. No hooks run here.
      setCommonHeaders(request, reply);
      const failure =
        checkRequest(request.raw) ??
        (error.code === "FST_ERR_BAD_URL" ? undecodable() : notFound());
      refuse(request, reply, failure);
      const counted = failure.code === "not_found" ? "none" : "malformed";
      answerCounts?.noteAnswer(counted, reply.statusCode, 0);
      deps.logger?.info(
        {
          request_id: request.id,
          status: reply.statusCode,
          reason: error.code,
        },
        "refused before routing",
      );
    },
  });
  const late = new WeakSet<IncomingMessage>();
  const turnLength = turnLengthOf(app.server);
  const pipelining = new Pipelining(app.server, turnLength);
  endStalled(app.server, STALLED_MS);
  limitConnections(app.server, MAX_CONNECTIONS);
  finishHalfOpen(app.server);
  // We check the size of the headers; Node would silently drop lines above a count.
  app.server.maxHeadersCount = 0;
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would reject it without our body.
  app.server.on("checkExpectation", (request, response) => {
    app.server.emit("request", request, response);
  });
  app.server.on("connect", ({ socket }) => {
    afterAnswers(socket, () =>
      writeFailure(socket, methodNotAllowed("CONNECT"), deps),
    );
  });

  app.decorateRequest("caller", null);
  app.decorateRequest("keyVerdict", null);
  app.decorateRequest("visitor", null);
  app.decorateRequest("viewing", null);
  app.decorateRequest("receivedMs", 0);
  app.decorateReply("isForOwnPages", false);
  app.addHook("onRequest", (request, reply, done) => {
    request.receivedMs = performance.now();
    const forwarded = request.headers["x-forwarded-for"];
    if (deps.settings.trustProxy !== null && typeof forwarded === "string")
      request.headers["x-forwarded-for"] = withoutPorts(forwarded);
    const failure =
      checkRequest(request.raw) ??
      (late.has(request.raw) ? queuedTooLong() : null);
    if (failure !== null) refuse(request, reply, failure);
    // A hook instead of the handler: before the handler, Fastify would read the body.
    else if (request.is404) answerUnknownPath(request, reply);
    else done();
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    setCommonHeaders(request, reply);
    noteAnswer(deps, request, reply.statusCode);
    done(null, payload);
  });
  app.setNotFoundHandler(answerUnknownPath);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    deps.logger?.error({ request_id: request.id, err: error }, "failed");
    return refuse(request, reply, internalError());
  });

  await addCompression(app);
  addOtherMethods(app);
  const answers = new DataAnswers(deps, refuse);
  const files = new ExportFiles(deps);
  const exports = answers.ofStream(exportOperation(files));
  const downloads = new DownloadAnswers(deps, refuse, files);
  const context: RouteContext = {
    deps,
    refuse,
    answers,
    exports,
    downloads,
    routes: ROUTES,
  };
  await addRoutes(app, context, invalidKeys);
  const takeTurn = turnsOf(turnLength);
  orderRequests(app, { deps, invalidKeys, late, takeTurn });
  return app;

  /** Answers a path that does not exist. `OPTIONS *` is about the service as a whole. */
  function answerUnknownPath(
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (request.method === "OPTIONS" && request.raw.url === "*")
      reply.code(204).headers(PREFLIGHT_HEADERS).send();
    else if (!showNotFound(request, reply))
      refuse(
        request,
        reply,
        notRemoved(request.url, deps.settings.publicUrl) ?? notFound(),
      );
  }
}

/** Routes check what they read (`query-string.ts`, `read-body.ts`) and render what they send. */
function refuseSchemas(): never {
  throw new Error("A route passes a schema to Fastify.");
}

/** The value for Fastify's `trustProxy`. Of the forwarded headers only the client's address is used. */
function trustProxyOf(
  trusted: TrustedProxies,
): false | string[] | ((address: string, hop: number) => boolean) {
  if (trusted === null) return false;
  return typeof trusted === "number"
    ? (_address, hop) => hop < trusted
    : [...trusted];
}

/** Sets the headers of every answer that Fastify sends; `answer-data.ts` and `client-error.ts` write their own. */
function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const policy = reply.getHeader(POLICY);
  const exposed = reply.getHeader(EXPOSED);
  reply.headers(FIXED_HEADERS);
  if (policy !== undefined) reply.header(POLICY, policy);
  if (exposed !== undefined) reply.header(EXPOSED, exposed);
  if (reply.isForOwnPages) removeSharing(reply);
  reply.header("x-request-id", request.id);
}

function undecodable(): Failure {
  return malformed("The URL cannot be decoded. Percent-encode it as UTF-8.");
}
