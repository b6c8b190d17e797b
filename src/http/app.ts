import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { ListenOptions, Socket } from "node:net";
import proxyAddr from "@fastify/proxy-addr";
import type { TrustedProxies } from "../settings/addresses.ts";
import { withoutPorts } from "./access/client-address.ts";
import { InvalidKeyLimiter } from "./access/authorize.ts";
import { answer, answerFromData, type ReplyTo } from "./answer.ts";
import type { AppContext } from "./app-context.ts";
import { Call, type Reply } from "./call.ts";
import { ExportFiles } from "./exports/row-operation.ts";
import { answerInTurns, turnLengthOf, turnsOf } from "./limits/fair-queue.ts";
import { afterAnswers, trackAnswers } from "./limits/open-answers.ts";
import { Pipelining } from "./limits/pipelining.ts";
import {
  CONNECTION_BUFFER_BYTES,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_CONNECTIONS,
  PARSER_BYTES,
  REQUEST_TIMEOUT_MS,
  STALLED_MS,
  finishHalfOpen,
  endStalled,
  limitConnections,
} from "./limits/server-limits.ts";
import {
  clientErrorHandler,
  writeFailure,
  type ClientError,
} from "./pipeline/client-error.ts";
import { validatorsBySnapshot } from "./pipeline/conditional.ts";
import { failureReply } from "./pipeline/failure-reply.ts";
import {
  internalError,
  methodNotAllowed,
  Refusal,
} from "./pipeline/failure.ts";
import { requestId } from "./pipeline/headers.ts";
import { noteAnswer } from "./pipeline/request-log.ts";
import { HELD, send } from "./pipeline/send.ts";
import { WorkInPieces } from "./pipeline/work-in-pieces.ts";
import { makeRouter } from "./router.ts";
import { ROUTES } from "./routes/table.ts";

/** The HTTP app: a server, ready to listen. */
export interface App {
  readonly server: Server;
  /** Answers a request, as the server does with each. */
  readonly listener: RequestListener;
  /** Starts to listen. Rejects with the system's error. */
  listen(options: ListenOptions): Promise<void>;
  /** Stops listening, and resolves once all connections are closed. */
  close(): Promise<void>;
}

/**
 * Makes the HTTP app. Checks run in this order: the request can be read, the path exists, it accepts the method, the
 * key, the burst limit, the parameters, data is loaded, the monthly quota, the data. See `answer.ts`.
 */
export function buildApp(deps: AppContext): App {
  const { answerCounts, logger, now, settings } = deps;
  const validatorsOf = validatorsBySnapshot(deps.tagSecret);
  const source = {
    data: deps.data,
    validatorsOf,
    root: settings.publicUrl ?? "",
  };
  const matchOf = makeRouter({
    deps,
    routes: ROUTES,
    invalidKeys: new InvalidKeyLimiter(settings.trustProxy === null),
    source,
    files: new ExportFiles(deps),
    work: new WorkInPieces(),
    from: (operation) => (call) => answerFromData(call, operation, source),
  });
  const replyTo: ReplyTo = (error, call) => {
    const isRefusal = error instanceof Refusal;
    const failure = isRefusal ? error.failure : internalError();
    const { cause = isRefusal ? null : { err: error, message: "failed" } } =
      failure;
    if (cause !== null)
      logger?.error({ request_id: call.id, err: cause.err }, cause.message);
    answerCounts?.noteFailure(failure.code);
    return failureReply(failure, call, deps);
  };
  const note = (call: Call): void => noteAnswer(deps, call);
  const sending = {
    addressOf: addressReader(settings.trustProxy),
    send: (call: Call, reply: Reply) => send(call, reply, note),
  };

  const server = createServer({
    maxHeaderSize: PARSER_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    highWaterMark: CONNECTION_BUFFER_BYTES,
    // Node would answer these without our body; `request-check.ts` handles them.
    requireHostHeader: false,
  });
  const turnLength = turnLengthOf(server);
  const answerInTurn = answerInTurns<Call>(
    (call, isLate) => {
      call.isLate = isLate;
      answerNow(call);
    },
    turnsOf(turnLength),
    now,
  );

  /** Queues what takes long, except requests with a body, which is ignored: its errors must come after the answer. */
  function listener(request: IncomingMessage, response: ServerResponse): void {
    const { method = "", url = "" } = request;
    const id = requestId(request, deps.makeRequestId);
    const call = new Call(request, response, id, matchOf(method, url), sending);
    if (call.match.route.isQueued && !hasBody(request)) answerInTurn(call);
    else answerNow(call);
  }

  function answerNow(call: Call): void {
    answer(call, replyTo).catch((err: unknown) => {
      logger?.error({ request_id: call.id, err }, "failed");
      call.response.destroy();
    });
  }

  const pipelining = new Pipelining(server, turnLength);
  const refuseUnreadable = clientErrorHandler(deps);
  server.on("clientError", (error: ClientError, socket: Socket) => {
    if (pipelining.hold(error, socket)) return;
    HELD.send();
    refuseUnreadable(error, socket);
  });
  endStalled(server, STALLED_MS);
  limitConnections(server, MAX_CONNECTIONS);
  finishHalfOpen(server);
  // We check the size of the headers; Node would silently drop lines above a count.
  server.maxHeadersCount = 0;
  trackAnswers(server);
  server.on("request", listener);
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would reject it without our body.
  server.on("checkExpectation", (request, response) => {
    server.emit("request", request, response);
  });
  server.on("connect", ({ socket }: IncomingMessage) => {
    // Node took its listener away; without one, a client that resets the connection would end the process.
    socket.on("error", () => socket.destroy());
    afterAnswers(socket, () =>
      writeFailure(socket, methodNotAllowed("CONNECT"), deps),
    );
  });
  return {
    server,
    listener,
    async listen(options) {
      const listening = once(server, "listening");
      server.listen(options);
      await listening;
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

/** Makes the reader of a client's address. Of the forwarded headers, only that of proxies that are trusted is used. */
function addressReader(
  trusted: TrustedProxies,
): (request: IncomingMessage) => string {
  if (trusted === null) return ({ socket }) => socket.remoteAddress ?? "";
  const isTrusted =
    typeof trusted === "number"
      ? (_address: string, hop: number) => hop < trusted
      : proxyAddr.compile([...trusted]);
  return (request) => {
    const forwarded = request.headers["x-forwarded-for"];
    if (typeof forwarded === "string")
      request.headers["x-forwarded-for"] = withoutPorts(forwarded);
    return proxyAddr(request, isTrusted);
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers["transfer-encoding"] !== undefined ||
    headers["content-length"] !== undefined
  );
}
