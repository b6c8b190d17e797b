/**
 * The only file that uses fields of Node without documentation: a connection's `parser` with `onIncoming` and `resume`,
 * its `_paused`, and a request's `upgrade`. With documented ones, we would have to read every connection ourselves,
 * which makes a look-up take 5 % longer. The attack that needs them is in `test/http/limits/pipelining.test.ts`: a
 * client that pipelines and reads nothing.
 */

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ClientError } from "../pipeline/client-error.ts";
import { inTurns, type TurnLength } from "./fair-queue.ts";
import { answerOf } from "./open-answers.ts";

/** The return value that pauses llhttp after a request's head, and the error that Node then reports. */
const STOP = 21;
const STOPPED = "HPE_PAUSED";
/** The number of bytes of the paused input that are parsed at once. */
const PIECE_BYTES = 4_096;

/**
 * Limits a connection to two requests in progress. Node parses everything it reads at once, up to 64 KB, and creates
 * two objects per request: thousands for a client that pipelines. Here the parser pauses at a second request while the
 * first is unanswered. The rest stays unparsed in the socket and is read in turns with other connections. Connections
 * without pipelining, nearly all, pay only for a check.
 */
export class Pipelining {
  readonly #connections = new WeakMap<Socket, PipelinedConnection>();
  readonly #goOn: (connection: PipelinedConnection) => void;

  constructor(server: Server, turnLength: TurnLength) {
    this.#goOn = inTurns((connection) => connection.goOn(), turnLength);
    // Node's own listener ran first and created the parser.
    server.on("connection", (socket: Socket) => this.#watch(socket));
  }

  /** Handles Node's error for a paused parser; returns false for any other error. */
  hold(error: ClientError, socket: Socket): boolean {
    if (error.code !== STOPPED) return false;
    parserOf(socket)?.resume();
    this.#connections.get(socket)?.hold(restOf(error));
    return true;
  }

  #watch(socket: Socket): void {
    const parser = parserOf(socket);
    if (parser === null) throw new Error("Node's connections have no parser.");
    const take = parser.onIncoming;
    parser.onIncoming = (request, keepAlive) => {
      // Node pauses by itself after a request that could change the protocol.
      if (answerOf(socket) === null || Reflect.get(request, "upgrade") === true)
        return take(request, keepAlive);
      // Before Node pauses the socket because of unread answers; it would not resume it for a listener that came later.
      if (!this.#connections.has(socket))
        this.#connections.set(
          socket,
          new PipelinedConnection(socket, this.#goOn),
        );
      take(request, keepAlive);
      return STOP;
    };
  }
}

/** A connection whose client sent a request before the previous one was answered. */
class PipelinedConnection {
  readonly #socket: Socket;
  readonly #goOnInTurn: (connection: PipelinedConnection) => void;
  #isHeld = false;

  constructor(
    socket: Socket,
    goOnInTurn: (connection: PipelinedConnection) => void,
  ) {
    this.#socket = socket;
    this.#goOnInTurn = goOnInTurn;
    // Until now the parser has read past the stream. A data listener ends that.
    const parse = socket.listeners("data");
    socket.removeAllListeners("data");
    socket.on("data", (bytes: Buffer<ArrayBuffer>) => {
      // After a CONNECT there is no parser, and nothing reads the data.
      if (parserOf(socket) === null) return;
      // Node resumes the socket after each answer. Parse what arrives in turns all the same: otherwise quick answers
      // would follow each other forever and starve other connections.
      if (this.#isHeld || this.#mustWait()) this.hold(bytes);
      else for (const listener of parse) listener.call(socket, bytes);
    });
  }

  /** Puts bytes back into the socket until the current answer is sent. */
  hold(bytes: Buffer<ArrayBuffer>): void {
    const socket = this.#socket;
    socket.pause();
    if (bytes.length > 0) socket.unshift(bytes);
    if (this.#isHeld) return;
    this.#isHeld = true;
    const due = answerOf(socket);
    const release = (): void => this.#goOnInTurn(this);
    if (due === null) release();
    else due.once("close", release);
  }

  /** Parses up to the second request. */
  goOn(): void {
    const socket = this.#socket;
    this.#isHeld = false;
    if (socket.destroyed || isPausedByNode(socket)) return;
    while (!this.#mustPause() && socket.readableLength > 0) {
      // The listener gets what is read. Read little at once, so the stream stays paused while it has enough.
      socket.read(Math.min(socket.readableLength, PIECE_BYTES));
    }
    if (!this.#mustPause()) socket.resume();
  }

  #mustPause(): boolean {
    return this.#isHeld || isPausedByNode(this.#socket);
  }

  #mustWait(): boolean {
    const due = answerOf(this.#socket);
    return isPausedByNode(this.#socket) || (due !== null && isWholly(due));
  }
}

/** True if an answer's request has arrived with its body; until then, the input belongs to it. */
function isWholly({ req }: ServerResponse): boolean {
  return req.complete;
}

/** Node's HTTP parser of a connection. */
interface RequestParser {
  /** Receives each request after its head; llhttp gets the return value. */
  onIncoming: (request: IncomingMessage, keepAlive: boolean) => number;
  /** Resumes a paused parser. */
  resume(): void;
}

/** Returns the parser of a connection; null after it was removed. */
function parserOf(socket: Socket): RequestParser | null {
  const parser: unknown = Reflect.get(socket, "parser");
  return isParser(parser) ? parser : null;
}

function isParser(value: unknown): value is RequestParser {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof Reflect.get(value, "onIncoming") === "function" &&
    typeof Reflect.get(value, "resume") === "function"
  );
}

/** True if Node paused reading because the client is not reading its answers; Node resumes by itself. */
function isPausedByNode(socket: Socket): boolean {
  return Reflect.get(socket, "_paused") === true;
}

/** Returns the bytes that the parser has not read. */
function restOf({
  bytesParsed = 0,
  rawPacket,
}: ClientError): Buffer<ArrayBuffer> {
  if (
    !(rawPacket instanceof Uint8Array) ||
    !(rawPacket.buffer instanceof ArrayBuffer)
  )
    throw new Error("Node stopped a parser and does not say where.");
  const { buffer, byteLength, byteOffset } = rawPacket;
  return Buffer.from(
    buffer,
    byteOffset + bytesParsed,
    byteLength - bytesParsed,
  );
}
