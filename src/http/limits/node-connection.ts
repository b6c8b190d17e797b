/** Undocumented properties of Node's HTTP connections. */

import { ServerResponse, type IncomingMessage, type Server } from "node:http";
import { Socket } from "node:net";

/** Stands for a head that Node need not write. */
const WRITTEN = "written";

/** Node's HTTP parser of a connection. */
export interface RequestParser {
  /** Called after each request's head; llhttp gets the return value. */
  onIncoming: (request: IncomingMessage, keepAlive: boolean) => number;
  /** Resumes a paused parser. */
  resume(): void;
}

/** The parser of a connection; null after it was removed. */
export function parserOf(socket: Socket): RequestParser | null {
  const parser: unknown = Reflect.get(socket, "parser");
  return isParser(parser) ? parser : null;
}

/** The oldest answer of a connection that is not sent completely; null if there is none. */
export function answerOf(socket: Socket): ServerResponse | null {
  const answer: unknown = Reflect.get(socket, "_httpMessage");
  return answer instanceof ServerResponse ? answer : null;
}

/**
 * Gives an answer its whole head as text, with the lines of the connection and the empty one; Node then makes none.
 * False if it waits for an earlier answer, isn't sent over a connection, or if this version of Node does not take it.
 */
export function setHead(answer: ServerResponse, head: string): boolean {
  if (!(answer.socket instanceof Socket)) return false;
  Reflect.set(answer, "_header", head);
  return answer.headersSent;
}

/** The same for an answer that is written with its head in front of the body. */
export function leaveOutHead(answer: ServerResponse): boolean {
  if (Reflect.get(answer, "_headerSent") !== false) return false;
  if (!setHead(answer, WRITTEN)) return false;
  Reflect.set(answer, "_headerSent", true);
  return true;
}

/** Calls a function once all answers of a connection are sent; never, if the client disconnects first. */
export function afterAnswers(socket: Socket, act: () => void): void {
  if (socket.destroyed) return;
  const answer = answerOf(socket);
  if (answer === null) act();
  else answer.once("close", () => afterAnswers(socket, act));
}

/** A server's connections without a partly received request. */
export function connectionsBetweenRequests(
  server: Server,
): ReadonlySet<unknown> {
  const list = Object.getOwnPropertySymbols(server).find(
    ({ description }) => description === "http.server.connections",
  );
  if (list === undefined) throw new Error("Node keeps no list of connections.");
  const connections: unknown = Reflect.get(server, list);
  if (!isConnectionsList(connections))
    throw new Error("Node does not say which connections are idle.");
  return new Set(
    connections.idle().map((parser): unknown => Reflect.get(parser, "socket")),
  );
}

/**
 * Makes a server finish the answers of clients that close their side of the connection after the request, as `nc -N`
 * does. By default, Node closes the other side at once.
 */
export function finishHalfOpen(server: Server): void {
  Reflect.set(server, "httpAllowHalfOpen", true);
}

/** Whether a request wants to upgrade to another protocol. */
export function wantsUpgrade(request: IncomingMessage): boolean {
  return Reflect.get(request, "upgrade") === true;
}

/** Whether Node paused reading because the client is not reading its answers; Node resumes by itself. */
export function isPausedByNode(socket: Socket): boolean {
  return Reflect.get(socket, "_paused") === true;
}

/**
 * Makes the stream of a connection read from the system again. While its parser reads past the stream, Node pauses that
 * for an unread answer, and does not resume it once something else listens for data.
 */
export function readOn(socket: Socket): void {
  const handle: unknown = Reflect.get(socket, "_handle");
  if (typeof handle !== "object" || handle === null) return;
  const readStart: unknown = Reflect.get(handle, "readStart");
  if (Reflect.get(handle, "reading") !== false) return;
  if (typeof readStart !== "function") return;
  Reflect.set(handle, "reading", true);
  Reflect.apply(readStart, handle, []);
}

function isParser(value: unknown): value is RequestParser {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof Reflect.get(value, "onIncoming") === "function" &&
    typeof Reflect.get(value, "resume") === "function"
  );
}

function isConnectionsList(
  value: unknown,
): value is { idle(): readonly object[] } {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof Reflect.get(value, "idle") === "function"
  );
}
