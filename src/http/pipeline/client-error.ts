import { STATUS_CODES, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { AppContext } from "../app-context.ts";
import { ERRORS } from "../../contract/errors/errors.ts";
import { errorBody } from "./failure-reply.ts";
import type { Failure } from "./failure.ts";
import { FIXED_HEADERS } from "./headers.ts";
import { headersTooLarge, malformed, uriTooLong } from "./request-check.ts";
import {
  answerOf,
  isInBody,
  unwrittenAnswerOf,
} from "../limits/open-answers.ts";
import { LINGER_MS } from "../limits/server-limits.ts";

/** Node's error for a request that its parser rejected. */
export interface ClientError extends Error {
  readonly code?: string;
  /** The last bytes received, and how far the parser got. */
  readonly rawPacket?: unknown;
  readonly bytesParsed?: number;
}

/** A request line that ends within its target. */
const IN_TARGET = /^[A-Z-]+ [^ ]*$/;
/** A character that no target contains. */
const NOT_OF_TARGET = /[^\x21-\x7e]/;

/**
 * Makes the handler of requests that could not be parsed. It writes the usual JSON error to the connection and closes
 * it, after giving the client a moment to read; that also answers a request whose body is needed and does not arrive.
 * A connection with an answer in progress, or whose request is answered except for an ignored body, is just closed.
 */
export function clientErrorHandler(
  deps: AppContext,
): (error: ClientError, socket: Socket) => void {
  const answered = new WeakSet<Socket>();
  return function handleClientError(error, socket) {
    if (answered.has(socket)) return;
    const waiting = unwrittenAnswerOf(socket);
    // Writing another answer into one that has started would garble both.
    if (
      error.code === "ECONNRESET" ||
      !socket.writable ||
      waiting?.headersSent === true
    ) {
      socket.destroy();
      return;
    }
    if (waiting !== null && isForBody(waiting, socket)) {
      // It has no whole body to act on, even if the rest arrives.
      waiting.req.pause();
    } else if (waiting !== null) {
      // An earlier request on this connection is still queued. Answers go in the order of requests.
      waiting.once("close", () => handleClientError(error, socket));
      return;
    }
    answered.add(socket);
    if (waiting === null && isInBody(socket)) {
      // A second answer to this request would be taken for that to the next one.
      endGently(socket);
      return;
    }
    const failure = failureOf(error);
    deps.logger?.info(
      { status: ERRORS[failure.code].status, reason: error.code ?? null },
      "refused before parsing",
    );
    writeFailure(socket, failure, deps);
  };
}

/**
 * True if an answer is the next of its connection, and needs a body that has not arrived; most routes ignore theirs.
 */
function isForBody(answer: ServerResponse, socket: Socket): boolean {
  const { complete, readableFlowing } = answer.req;
  return answerOf(socket) === answer && !complete && readableFlowing === true;
}

/** Writes a failure to a connection without a request, and closes it. */
export function writeFailure(
  socket: Duplex,
  failure: Failure,
  { answerCounts, localUrl, makeRequestId, now, settings }: AppContext,
): void {
  const { status } = ERRORS[failure.code];
  answerCounts?.noteFailure(failure.code);
  answerCounts?.noteAnswer("malformed", status, 0);
  const requestId = makeRequestId();
  const base = settings.publicUrl ?? localUrl();
  const body = errorBody(failure, base, requestId);
  const headers = {
    date: new Date(now()).toUTCString(),
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
  // Closing now, with unread bytes of the client, would reset the connection and lose the answer.
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
 * True if Node gave up in the target. It counts target and headers together; only the bytes show where. If the line
 * started in an earlier packet, it is taken for a target if it could be one.
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
