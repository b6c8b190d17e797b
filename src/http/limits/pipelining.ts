import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ClientError } from "../pipeline/client-error.ts";
import {
  answerOf,
  isPausedByNode,
  parserOf,
  readOn,
  wantsUpgrade,
} from "./node-connection.ts";
import { inTurns, type TurnLength } from "./fair-queue.ts";

/** What llhttp is told to stop behind the head of a request, and what Node then says of it. */
const STOP = 21;
const STOPPED = "HPE_PAUSED";
/** How much of what waits in the socket is parsed at once. */
const PIECE_BYTES = 4_096;

/**
 * Keeps at most two requests of a connection in work. Node parses all that it reads at once, 64 KB, and makes two objects
 * for each request: from a client that pipelines, thousands. Here the parser stops at a second request whose
 * predecessor's answer has not left; what follows stays unparsed in the socket, which is not read meanwhile, and goes on
 * in turns with other connections. A connection that asks one thing after the other, as nearly all do, only costs a look.
 */
export class Pipelining {
  readonly #connections = new WeakMap<Socket, PipelinedConnection>();
  readonly #goOn: (connection: PipelinedConnection) => void;

  constructor(server: Server, turnLength: TurnLength) {
    this.#goOn = inTurns((connection) => connection.goOn(), turnLength);
    // Node's own listener comes first and has made the parser.
    server.on("connection", watch);
  }

  /** Takes what Node reports when the parser was stopped; false for any other error. */
  hold(error: ClientError, socket: Socket): boolean {
    if (error.code !== STOPPED) return false;
    let connection = this.#connections.get(socket);
    if (connection === undefined) {
      connection = new PipelinedConnection(socket, this.#goOn);
      this.#connections.set(socket, connection);
    }
    parserOf(socket)?.resume();
    connection.hold(restOf(error));
    return true;
  }
}

function watch(socket: Socket): void {
  const parser = parserOf(socket);
  if (parser === null) throw new Error("Node's connections have no parser.");
  const take = parser.onIncoming;
  parser.onIncoming = function stopAtSecond(request, keepAlive) {
    // Node stops by itself behind a request that could change the protocol.
    const mayStop = answerOf(socket) !== null && !wantsUpgrade(request);
    const verdict = take(request, keepAlive);
    return mayStop ? STOP : verdict;
  };
}

/** A connection whose client has sent a request before the answer to another left. */
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
    // Until now the parser has read past the stream. A listener for data ends that.
    const parse = socket.listeners("data");
    socket.removeAllListeners("data");
    socket.on("data", (bytes: Buffer<ArrayBuffer>) => {
      // There is none any more behind a CONNECT, and nobody reads what comes then.
      if (parserOf(socket) === null) return;
      // Node resumes the socket with each answer that leaves. What that brings waits for its turn all the same: else answers that
      // are made at once follow each other without end, and the thread looks at no other connection meanwhile.
      if (this.#isHeld || this.#mustWait()) this.hold(bytes);
      else for (const listener of parse) listener.call(socket, bytes);
    });
    readOn(socket);
  }

  /** Puts bytes back into the socket until the answer that is due has left. */
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

  /** Parses on, up to the second request from there. */
  goOn(): void {
    const socket = this.#socket;
    this.#isHeld = false;
    if (socket.destroyed || isPausedByNode(socket)) return;
    while (!this.#mustPause() && socket.readableLength > 0) {
      // The listener gets what is read. Little at once, so that the stream asks for no more while it holds enough.
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

/** Whether the request of an answer has arrived with its body; until then, what is read belongs to it. */
function isWholly({ req }: ServerResponse): boolean {
  return req.complete;
}

/** What the parser has not read. */
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
