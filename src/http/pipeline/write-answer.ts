import type { ServerResponse } from "node:http";
import { setHead } from "../limits/node-connection.ts";
import { KEEP_ALIVE_TIMEOUT_MS } from "../limits/server-limits.ts";
import { FIXED_HEADER_LIST, type HeaderList } from "./headers.ts";

const MS_PER_SECOND = 1000;
const STATUS_LINE = "HTTP/1.1 200 OK\r\n";
const FIXED_LINES = linesOf(FIXED_HEADER_LIST, 0);
const STAYS_OPEN = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(KEEP_ALIVE_TIMEOUT_MS / MS_PER_SECOND)}\r\n\r\n`;

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
    lines += `${headers[i]!}: ${headers[i + 1]!}\r\n`;
  return lines;
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
