import type { ServerResponse } from "node:http";
import { constant, JsonText } from "../../search/render/json-text.ts";
import { leaveOutHead, setHead } from "../limits/node-connection.ts";
import { KEEP_ALIVE_TIMEOUT_MS } from "../limits/server-limits.ts";
import { FIXED_HEADER_LIST, type HeaderList } from "./headers.ts";

const MS_PER_SECOND = 1000;
const STATUS_LINE = "HTTP/1.1 200 OK\r\n";
const FIXED_LINES = linesOf(FIXED_HEADER_LIST, 0);
const STAYS_OPEN = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(KEEP_ALIVE_TIMEOUT_MS / MS_PER_SECOND)}\r\n\r\n`;
const FIRST_BYTES = constant(STATUS_LINE + FIXED_LINES);
const STAYS_OPEN_BYTES = constant(STAYS_OPEN);
/**
 * How long and how many rendered answers wait. A client on the same machine that waits for one is woken by each
 * write, which takes 10 µs; while it reads the first of several answers, the next ones don't wake it.
 */
const HELD_MS = 0.5;
const HELD_BYTES = 1 << 16;
/** Writes an answer of 200 with a rendered body. `headers` lacks `FIXED_HEADER_LIST`. */
export type WriteRendered = (
  response: ServerResponse,
  headers: HeaderList,
  body: JsonText,
) => void;

const COLON = constant(": ");
const LINE_BREAK = constant("\r\n");

/**
 * Writes an answer of 200 with a body, without Fastify's `send`. The head is one text, as Node would write it: Node
 * checks and joins each header, which takes 4 µs for ours. No value may contain a line break: those that come from
 * clients are checked (`REQUEST_ID`) or encoded (`pageLinks`).
 */
export function writeAnswer(
  response: ServerResponse,
  headers: HeaderList,
  body: string,
): void {
  // Node knows best how to say that it closes the connection.
  if (!response.shouldKeepAlive || !setHead(response, headOf(headers)))
    response.writeHead(200, [...headers]);
  response.end(body);
}

/**
 * Writes rendered answers some at a time. Head and body are one piece of bytes. Usually the system takes them at once;
 * what it leaves waits in that memory, and the next ones get other.
 */
export class HeldAnswers {
  readonly #held: { response: ServerResponse; bytes: Buffer }[] = [];
  #memory = Buffer.allocUnsafeSlow(HELD_BYTES);
  #used = 0;
  #sinceMs = 0;
  #isDue = false;

  /** Writes an answer with `send`, or before that if there are many. */
  readonly write: WriteRendered = (response, headers, body) => {
    const bytes = joined(response, headers, body);
    if (bytes === null) return;
    if (bytes.length > HELD_BYTES - this.#used) this.send();
    if (bytes.length > HELD_BYTES) {
      if (!isTaken(response, bytes)) body.leave();
      return;
    }
    if (this.#used === 0) this.#sinceMs = performance.now();
    const start = this.#used;
    this.#used += bytes.copy(this.#memory, start);
    const held = this.#memory.subarray(start, this.#used);
    this.#held.push({ response, bytes: held });
  };

  /** The same outside of turns: writes it once what else has arrived was read, or when it has waited long enough. */
  readonly writeSoon: WriteRendered = (response, headers, body) => {
    this.write(response, headers, body);
    this.sendOld(performance.now());
    if (this.#isDue || this.#used === 0) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.send();
    });
  };

  /** Writes the answers if the first one has waited long enough. */
  sendOld(nowMs: number): void {
    if (this.#used > 0 && nowMs - this.#sinceMs >= HELD_MS) this.send();
  }

  send(): void {
    if (this.#used === 0) return;
    let allTaken = true;
    for (const { bytes, response } of this.#held)
      if (!isTaken(response, bytes)) allTaken = false;
    this.#held.length = 0;
    this.#used = 0;
    if (!allTaken) this.#memory = Buffer.allocUnsafeSlow(HELD_BYTES);
  }
}

/** What waits in this thread. Turns send it (`fair-queue.ts`), and so does what could take long. */
export const HELD = new HeldAnswers();

/** Head and body as one piece; null if Node has to write the head, and then the answer is written. */
function joined(
  response: ServerResponse,
  headers: HeaderList,
  body: JsonText,
): Buffer | null {
  const bytes = response.shouldKeepAlive
    ? body.behind(HEAD.write(headers))
    : null;
  if (bytes !== null && leaveOutHead(response)) return bytes;
  response.writeHead(200, [...FIXED_HEADER_LIST, ...headers]);
  response.end(body.text());
  return null;
}

/** Ends an answer with its bytes; whether the system took all of them, so that their memory is free again. */
function isTaken(response: ServerResponse, bytes: Buffer): boolean {
  response.end(bytes);
  return response.writableLength === 0;
}

/** A header's line in the answer before. */
interface KeptLine {
  name: string;
  value: string;
  /** The line, if two answers in a row had it. */
  bytes: Uint8Array | null;
}

/** Writes heads as bytes. Most lines are those of the answer before, and copied. */
class HeadWriter {
  readonly #out = new JsonText();
  /** By the header's place among the headers. */
  readonly #kept: KeptLine[] = [];

  write(headers: HeaderList): JsonText {
    this.#out.begin();
    this.#out.raw(FIRST_BYTES);
    let place = 0;
    for (let i = 0; i < headers.length; i += 2)
      this.#line(place++, headers[i]!, headers[i + 1]!);
    this.#line(place, "Date", httpDate(Date.now()));
    this.#out.raw(STAYS_OPEN_BYTES);
    return this.#out;
  }

  #line(place: number, name: string, value: string): void {
    const out = this.#out;
    const kept = this.#kept[place];
    if (kept === undefined) {
      this.#kept.push({ name, value, bytes: null });
    } else if (kept.name === name && kept.value === value) {
      kept.bytes ??= constant(lineOf(name, value));
      out.raw(kept.bytes);
      return;
    } else {
      kept.name = name;
      kept.value = value;
      kept.bytes = null;
    }
    out.ascii(name);
    out.raw(COLON);
    out.ascii(value);
    out.raw(LINE_BREAK);
  }
}

const HEAD = new HeadWriter();

function headOf(headers: HeaderList): string {
  const common = FIXED_HEADER_LIST.length;
  let same = 0;
  while (same < common && headers[same] === FIXED_HEADER_LIST[same]) same++;
  const lines =
    same === common
      ? FIXED_LINES + linesOf(headers, common)
      : linesOf(headers, 0);
  return `${STATUS_LINE}${lines}Date: ${httpDate(Date.now())}\r\n${STAYS_OPEN}`;
}

function linesOf(headers: HeaderList, from: number): string {
  let lines = "";
  for (let i = from; i < headers.length; i += 2)
    lines += lineOf(headers[i]!, headers[i + 1]!);
  return lines;
}

function lineOf(name: string, value: string): string {
  return `${name}: ${value}\r\n`;
}

let dateSecond = Number.NaN;
let date = "";

/** The time of an answer, formatted once a second. */
function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / MS_PER_SECOND);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(nowMs).toUTCString();
  }
  return date;
}
