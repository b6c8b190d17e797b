import { IncomingMessage, ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyBaseLogger } from "fastify";
import type { AnswerCounts } from "./answer-counts.ts";
import type { ServiceAddress } from "./failure.ts";
import { ERRORS } from "../../contract/errors.ts";
import { errorBody } from "./failure.ts";
import type { Failure } from "./failure.ts";
import { FIXED_HEADERS } from "./headers.ts";
import { headersTooLarge, malformed, uriTooLong } from "./request-check.ts";
import { LINGER_MS } from "../limits/server-limits.ts";

/** What Node says of a request that its parser refused. */
export interface ClientError extends Error {
  readonly code?: string;
  /** The last bytes received, and how far into them the parser got. */
  readonly rawPacket?: unknown;
  readonly bytesParsed?: number;
}

/** A request line up to somewhere in its target. */
const IN_TARGET = /^[A-Z-]+ [^ ]*$/;
/** What neither a target nor a part of one can hold. */
const NOT_OF_TARGET = /[^\x21-\x7e]/;

/** What answering needs that a request would otherwise bring. */
export interface ClientErrorOptions extends ServiceAddress {
  readonly now: () => number;
  readonly makeRequestId: () => string;
  readonly logger: FastifyBaseLogger | null;
  readonly answerCounts: AnswerCounts | null;
}

/**
 * Makes the handler of requests that never became one: it writes the usual JSON error to the bare connection and
 * closes it, giving the client a moment to read. A connection on which an answer has begun, or one whose request is
 * answered but for the body that nobody reads, is just closed.
 */
export function clientErrorHandler(
  options: ClientErrorOptions,
): (error: ClientError, socket: Socket) => void {
  const answered = new WeakSet<Socket>();
  return function handleClientError(error, socket) {
    if (answered.has(socket)) return;
    if (
      error.code === "ECONNRESET" ||
      !socket.writable ||
      hasBegunAnswer(socket)
    ) {
      socket.destroy();
      return;
    }
    const waiting = unbegunAnswer(socket);
    if (waiting !== null) {
      // A request that came before on this connection waits for its turn; the answers go in the order of the requests.
      waiting.once("finish", () => handleClientError(error, socket));
      return;
    }
    answered.add(socket);
    if (isInAnsweredBody(socket)) {
      endGently(socket);
      return;
    }
    const failure = failureOf(error);
    options.logger?.info(
      { status: ERRORS[failure.code].status, reason: error.code ?? null },
      "refused before parsing",
    );
    writeFailure(socket, failure, options);
  };
}

/** Writes a failure to a bare connection and closes it. */
export function writeFailure(
  socket: Duplex,
  failure: Failure,
  options: ClientErrorOptions,
): void {
  const { status } = ERRORS[failure.code];
  options.answerCounts?.noteFailure(failure.code);
  options.answerCounts?.noteAnswer("malformed", status, 0);
  const requestId = options.makeRequestId();
  const base = options.settings.publicUrl ?? options.localUrl();
  const body = errorBody(failure, base, requestId);
  const headers = {
    date: new Date(options.now()).toUTCString(),
    connection: "close",
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "cache-control": "no-store",
    "x-request-id": requestId,
    ...FIXED_HEADERS,
    ...failure.headers,
  };
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  endGently(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`,
  );
}

function endGently(socket: Duplex, last = ""): void {
  socket.end(last);
  // Closing at once, with bytes of the client unread, would reset the connection and lose the answer.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function failureOf(error: ClientError): Failure {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return stoppedInTarget(error) ? uriTooLong() : headersTooLarge();
    case "HPE_INVALID_URL":
      return malformed("The URL has a character that must be percent-encoded.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return malformed("The request did not arrive in time.");
    default:
      return malformed("The request is not valid HTTP.");
  }
}

/**
 * Node counts target and headers as one; only the bytes tell where it was when it gave up. Of a line that began in an
 * earlier packet only the middle is known: then it is a target if it could be.
 */
function stoppedInTarget({ rawPacket, bytesParsed }: ClientError): boolean {
  if (!(rawPacket instanceof Uint8Array)) return false;
  const read = Buffer.from(rawPacket.subarray(0, bytesParsed)).toString(
    "latin1",
  );
  const lineStart = read.lastIndexOf("\n") + 1;
  const line = read.slice(lineStart);
  return IN_TARGET.test(line) || (lineStart === 0 && !NOT_OF_TARGET.test(line));
}

/** Node keeps the answer in progress on the connection. A second one written into it would garble both. */
function hasBegunAnswer(socket: Socket): boolean {
  const answer: unknown = Reflect.get(socket, "_httpMessage");
  return isAnswering(answer) && answer.headersSent;
}

/** The answer that is still to be begun on the connection, null when there is none. */
function unbegunAnswer(socket: Socket): ServerResponse | null {
  const answer: unknown = Reflect.get(socket, "_httpMessage");
  return isAnswering(answer) && !answer.headersSent ? answer : null;
}

function isAnswering(answer: unknown): answer is ServerResponse {
  return answer instanceof ServerResponse && !answer.writableEnded;
}

/**
 * Whether the parser stands in the body of a request that has its answer: bodies are not waited for. A second answer
 * would be taken for the next request's.
 */
function isInAnsweredBody(socket: Socket): boolean {
  const parser: unknown = Reflect.get(socket, "parser");
  if (typeof parser !== "object" || parser === null) return false;
  const request: unknown = Reflect.get(parser, "incoming");
  return (
    request instanceof IncomingMessage &&
    !request.complete &&
    !isAnswering(Reflect.get(socket, "_httpMessage"))
  );
}
