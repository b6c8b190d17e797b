import type { ServerResponse } from "node:http";
import { Socket } from "node:net";
import { constant, JsonText } from "../../search/render/json-text.ts";
import {
  isStream,
  type Body,
  type BodyStream,
  type Call,
  type Reply,
} from "../call.ts";
import { KEEP_ALIVE_TIMEOUT_MS } from "../limits/server-limits.ts";
import { compressed } from "./compression.ts";
import {
  FIXED_HEADER_LIST,
  placeOf,
  UNSHARED_HEADER_LIST,
  withHeaders,
  type HeaderList,
} from "./headers.ts";

const MS_PER_SECOND = 1000;
const STATUS_LINE = "HTTP/1.1 200 OK\r\n";
/** The first bytes of nearly every response. */
const FIRST_BYTES = constant(STATUS_LINE + linesOf(FIXED_HEADER_LIST));
/** Headers of every response that a route may replace. */
const REPLACEABLE = [
  "content-security-policy",
  "access-control-expose-headers",
];
const STAYS_OPEN = constant(
  `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(KEEP_ALIVE_TIMEOUT_MS / MS_PER_SECOND)}\r\n\r\n`,
);
const COLON = constant(": ");
const LINE_BREAK = constant("\r\n");
/**
 * The longest wait of a response, and the most bytes that wait. A client on the same machine that waits for one is
 * woken by each write, which takes 10 µs; while it reads the first of several responses, the next ones don't wake it.
 */
const HELD_MS = 0.5;
const HELD_BYTES = 1 << 16;

/**
 * Sends a response, with the headers of every response and the caller's limits. Resolves once a stream has ended. Notes
 * the response before its client can have it, so that metrics and usage include what a client knows of; a stream once
 * it has ended.
 */
export function send(
  call: Call,
  reply: Reply,
  note: (call: Call) => void,
): void | Promise<void> {
  const { response } = call;
  const { status } = reply;
  const isHead = call.method === "HEAD";
  const headers = headersOf(call, reply);
  call.status = status;
  const { body: plain } = reply;
  if (isStream(plain)) {
    begin(response, status, headers);
    if (!isHead) return sendStream(call, plain, note);
    note(call);
    return void response.end();
  }
  const accept = call.headers["accept-encoding"];
  const body =
    plain === null || accept === undefined || !call.match.route.compress
      ? plain
      : compressed(plain, accept, headers);
  const bytes = lengthOf(body);
  if (body !== null || (status !== 204 && status !== 304))
    headers.push("content-length", String(bytes));
  note(call);
  if (isHead || body === null) begin(response, status, headers).end();
  else if (body instanceof JsonText) {
    if (status !== 200 || !HELD.write(response, headers, body))
      begin(response, status, headers).end(Buffer.from(body.copy()));
  } else begin(response, status, headers).end(body);
}

/** Gives Node the head. */
function begin(
  response: ServerResponse,
  status: number,
  headers: string[],
): ServerResponse {
  response.writeHead(status, headers);
  // Node puts the head of a response that waits for another one before its 100 Continue, unless it is flushed.
  if (response.socket === null) response.flushHeaders();
  return response;
}

async function sendStream(
  call: Call,
  body: BodyStream,
  note: (call: Call) => void,
): Promise<void> {
  call.facts = await body.send(call.response);
  note(call);
}

function headersOf(
  { caller, id, match: { route } }: Call,
  { headers, isForOwnPages = false }: Reply,
): string[] {
  const isShared = !isForOwnPages && !route.isForOwnPages;
  const common = isShared ? FIXED_HEADER_LIST : UNSHARED_HEADER_LIST;
  const all = common.concat("x-request-id", id, caller.limits(), headers);
  for (const name of REPLACEABLE)
    if (placeOf(headers, name) !== -1) all.splice(placeOf(all, name), 2);
  return route.isForOwnPages && placeOf(headers, "etag") === -1
    ? withHeaders(all, ["cache-control", "no-store"])
    : all;
}

function lengthOf(body: Exclude<Body, BodyStream>): number {
  if (body === null) return 0;
  return typeof body === "string" ? Buffer.byteLength(body) : body.length;
}

/** A response whose bytes wait. */
interface Held {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly bytes: Buffer;
}

/**
 * Writes responses of rendered bytes, the fast case of `send`, some at a time. Node's `writeHead` and `end` check and
 * join each header, and write head and body apart: that takes a fifth of a look-up's time (ADR 51). Here both are one
 * piece of bytes for the connection, and "finish" then ends it for Node, as `end` does. No value may contain a line
 * break: those that come from clients are checked (`REQUEST_ID`) or encoded (`pageLinks`).
 */
export class HeldResponses {
  readonly #held: Held[] = [];
  #memory = Buffer.allocUnsafeSlow(HELD_BYTES);
  #used = 0;
  #sinceMs = 0;
  #isDue = false;

  /**
   * Writes a response soon: once what else has arrived was read, with the end of a turn (`fair-queue.ts`), or before
   * that if there are many. False if Node must write it: it waits for another on its connection, or is its last.
   */
  write(
    response: ServerResponse,
    headers: HeaderList,
    body: JsonText,
  ): boolean {
    const { socket } = response;
    if (!(socket instanceof Socket) || !staysOpen(response)) return false;
    const bytes = body.behind(HEAD.write(headers));
    if (bytes === null) return false;
    if (bytes.length > HELD_BYTES - this.#used) this.send();
    if (bytes.length > HELD_BYTES) {
      if (!isTaken({ response, socket, bytes })) body.leave();
      return true;
    }
    if (this.#used === 0) this.#sinceMs = performance.now();
    const start = this.#used;
    this.#used += bytes.copy(this.#memory, start);
    const held = this.#memory.subarray(start, this.#used);
    this.#held.push({ response, socket, bytes: held });
    this.sendOld(performance.now());
    if (this.#isDue || this.#used === 0) return true;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.send();
    });
    return true;
  }

  /** Writes the responses if the first one has waited long enough. */
  sendOld(nowMs: number): void {
    if (this.#used > 0 && nowMs - this.#sinceMs >= HELD_MS) this.send();
  }

  send(): void {
    if (this.#used === 0) return;
    let allTaken = true;
    for (const held of this.#held) if (!isTaken(held)) allTaken = false;
    this.#held.length = 0;
    this.#used = 0;
    // What the system left waits in that memory.
    if (!allTaken) this.#memory = Buffer.allocUnsafeSlow(HELD_BYTES);
  }
}

/** The responses that wait in this thread. Turns send them, and so does work that could take long. */
export const HELD = new HeldResponses();

/** True if the connection stays open after the response. */
function staysOpen(response: ServerResponse): boolean {
  const { headers, httpVersion } = response.req;
  const { connection = "keep-alive" } = headers;
  return (
    httpVersion === "1.1" &&
    connection.toLowerCase() === "keep-alive" &&
    !response.hasHeader("connection")
  );
}

/** Ends a response with its bytes; true if the system took all of them, so that their memory is free again. */
function isTaken({ bytes, response, socket }: Held): boolean {
  socket.write(bytes);
  response.emit("finish");
  return socket.writableLength === 0;
}

/** A header's line in the response before. */
interface RepeatedLine {
  name: string;
  value: string;
  /** The line, if two responses in a row had it. */
  bytes: Uint8Array | null;
}

/** Writes heads as bytes. Most lines are those of the response before, and copied. */
class HeadWriter {
  readonly #out = new JsonText();
  /** By the header's place among the headers. */
  readonly #lines: RepeatedLine[] = [];

  write(headers: HeaderList): JsonText {
    this.#out.begin();
    const isUsual = FIXED_HEADER_LIST.every((each, i) => headers[i] === each);
    if (isUsual) this.#out.raw(FIRST_BYTES);
    else this.#out.ascii(STATUS_LINE);
    let place = 0;
    const from = isUsual ? FIXED_HEADER_LIST.length : 0;
    for (let i = from; i < headers.length; i += 2)
      this.#line(place++, headers[i]!, headers[i + 1]!);
    this.#line(place, "Date", httpDate(Date.now()));
    this.#out.raw(STAYS_OPEN);
    return this.#out;
  }

  #line(place: number, name: string, value: string): void {
    const out = this.#out;
    const line = this.#lines[place];
    if (line === undefined) {
      this.#lines.push({ name, value, bytes: null });
    } else if (line.name === name && line.value === value) {
      line.bytes ??= constant(`${name}: ${value}\r\n`);
      out.raw(line.bytes);
      return;
    } else {
      line.name = name;
      line.value = value;
      line.bytes = null;
    }
    out.ascii(name);
    out.raw(COLON);
    out.ascii(value);
    out.raw(LINE_BREAK);
  }
}

const HEAD = new HeadWriter();

function linesOf(headers: HeaderList): string {
  return headers
    .map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`))
    .join("");
}

let dateSecond = Number.NaN;
let date = "";

/** Formats the time of a response, once a second. */
function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / MS_PER_SECOND);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(nowMs).toUTCString();
  }
  return date;
}
