/** What Node keeps on a connection of its HTTP server and does not document. */

import { ServerResponse, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";

/** Node's parser of the requests of a connection. */
export interface RequestParser {
  /** Called with each request whose head was read; what it returns goes to llhttp. */
  onIncoming: (request: IncomingMessage, keepAlive: boolean) => number;
  /** Lets a parser go on that was stopped. */
  resume(): void;
}

/** The parser of a connection, null when it has none any more. */
export function parserOf(socket: Socket): RequestParser | null {
  const parser: unknown = Reflect.get(socket, "parser");
  return isParser(parser) ? parser : null;
}

/** The oldest answer of a connection that has not left yet, null when all have. */
export function answerOf(socket: Socket): ServerResponse | null {
  const answer: unknown = Reflect.get(socket, "_httpMessage");
  return answer instanceof ServerResponse ? answer : null;
}

/** Does something when all answers of a connection have left, and nothing when the client goes before. */
export function afterAnswers(socket: Socket, act: () => void): void {
  if (socket.destroyed) return;
  const answer = answerOf(socket);
  if (answer === null) act();
  else answer.once("close", () => afterAnswers(socket, act));
}

/** The connections of a server on which no part of a request has come that is not complete. */
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

/** Whether a request asks for another protocol. */
export function wantsUpgrade(request: IncomingMessage): boolean {
  return Reflect.get(request, "upgrade") === true;
}

/** Whether Node has stopped reading because the client does not take what was written; it goes on by itself. */
export function isPausedByNode(socket: Socket): boolean {
  return Reflect.get(socket, "_paused") === true;
}

/**
 * Lets the stream of a connection read on from the system. Node stops that for an answer that is not taken as long as its
 * parser reads past the stream, and no longer starts it again once something else listens for data.
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
