import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The state of a connection's requests. */
interface Progress {
  /** Not sent completely, in the order of their requests. */
  readonly answers: ServerResponse[];
  /** The last one; null once it has arrived completely and its answer is sent. */
  request: IncomingMessage | null;
  /** The bytes read of the connection until then. */
  bytesRead: number;
}

const CONNECTIONS = new WeakMap<Socket, Progress>();

/** Makes a server's answers known to the functions below. Later listeners of its requests find theirs. */
export function trackAnswers(server: Server): void {
  server.prependListener("request", note);
}

function note(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  const progress = CONNECTIONS.get(socket);
  if (progress === undefined)
    CONNECTIONS.set(socket, { answers: [response], request, bytesRead: 0 });
  else {
    progress.answers.push(response);
    progress.request = request;
  }
  // One function for all: a closure for each would take longer.
  response.on("close", forget);
}

function forget(this: ServerResponse): void {
  const { req } = this;
  const answers = CONNECTIONS.get(req.socket)?.answers;
  // Node sends them in this order. `pop` keeps the memory of the list for the next request.
  if (answers?.length === 1) answers.pop();
  else answers?.shift();
  if (req.complete) settle.call(req);
  else req.once("close", settle);
}

function settle(this: IncomingMessage): void {
  const progress = CONNECTIONS.get(this.socket);
  if (progress === undefined) return;
  progress.bytesRead = this.socket.bytesRead;
  if (progress.request === this) progress.request = null;
}

/** Finds the oldest answer of a connection that is not sent completely; null if there is none. */
export function answerOf(socket: Socket): ServerResponse | null {
  return CONNECTIONS.get(socket)?.answers[0] ?? null;
}

/** Finds the oldest answer of a connection that is not written completely; null if there is none. */
export function unwrittenAnswerOf(socket: Socket): ServerResponse | null {
  const answers = CONNECTIONS.get(socket)?.answers;
  return answers?.find(({ writableEnded }) => !writableEnded) ?? null;
}

/** True if a part of the last request's body has not arrived. */
export function isInBody(socket: Socket): boolean {
  return CONNECTIONS.get(socket)?.request?.complete === false;
}

/** True if a connection has no answer to send, and nothing has arrived since the last request. */
export function isBetweenRequests(socket: Socket): boolean {
  const progress = CONNECTIONS.get(socket);
  if (progress === undefined) return socket.bytesRead === 0;
  return progress.request === null && socket.bytesRead === progress.bytesRead;
}

/** Calls a function once all answers of a connection are sent; never, if the client disconnects first. */
export function afterAnswers(socket: Socket, act: () => void): void {
  if (socket.destroyed) return;
  const answer = answerOf(socket);
  if (answer === null) act();
  else answer.once("close", () => afterAnswers(socket, act));
}
