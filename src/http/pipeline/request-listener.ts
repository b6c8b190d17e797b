import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { checkNpi } from "../../registry/npi.ts";
import { answerHeaders, JSON_TYPE, requestId } from "./headers.ts";
import { bearerToken, type InvalidKeyLimiter } from "../access/authorize.ts";
import { validatorsBySnapshot } from "./conditional.ts";
import type { AppContext } from "../app-context.ts";
import { checkRequest } from "./request-check.ts";
import { millisecondsSince, traceAnswer } from "./request-log.ts";
import { writeAnswer } from "./write-answer.ts";
import { answerInTurns, type TakeTurn } from "../limits/fair-queue.ts";
import { COMPRESSION_THRESHOLD_BYTES } from "../limits/server-limits.ts";
import { LOOKUP_ROUTE, renderRecord } from "../routes/lookup.ts";
import { isKeyed } from "../routes/route.ts";
import { ROUTES } from "../routes/table.ts";

const PATH = LOOKUP_ROUTE.path.slice(0, LOOKUP_ROUTE.path.indexOf(":"));
const NPI_LENGTH = 10;

/**
 * Answers cheap requests immediately: plain lookups, health, documentation. Operations are queued, except those with a
 * body, which is ignored: its errors must come after the answer.
 */
export function orderRequests(
  app: FastifyInstance,
  deps: AppContext,
  invalidKeys: InvalidKeyLimiter,
  takeTurn: TakeTurn,
): void {
  const answerPlainLookup = plainLookup(deps, invalidKeys);
  const answerInTurn = answerInTurns((request, response) => {
    app.routing(request, response);
  }, takeTurn);
  app.server.removeAllListeners("request");
  app.server.on("request", (request, response) => {
    if (answerPlainLookup(request, response)) return;
    if (isWaiting(request) && !hasBody(request))
      answerInTurn(request, response);
    else app.routing(request, response);
  });
}

/**
 * Makes the fast path of plain lookups: GET, no query, a valid key, an NPI in the registry. Most requests are like
 * this, and skipping Fastify saves a fifth of their time. For anything else it returns false: Fastify handles all
 * failures, 304s, compressed answers and their rules (`routes/lookup.ts`). Until it is sure, it changes nothing except
 * the key's last use. If another thread spends the quota at the same moment, the request costs two tokens of the burst
 * limit.
 */
function plainLookup(
  deps: AppContext,
  invalidKeys: InvalidKeyLimiter,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const validatorsOf = validatorsBySnapshot(deps.tagSecret);
  return function answerPlainLookup(request, response) {
    const receivedMs = performance.now();
    const npi = plainNpi(request);
    const token = bearerToken(request.headers.authorization);
    const data = deps.data.current;
    if (npi === null || token === null || data === null) return false;
    if (checkRequest(request) !== null) return false;
    const nowMs = deps.now();
    // Only Fastify knows the client's address.
    if (invalidKeys.isAnyLimited(nowMs)) return false;
    const verdict = deps.gate.verify(token, nowMs);
    if (verdict.status !== "valid") return false;
    const { account } = verdict;
    if (deps.gate.checkQuota(account, nowMs) !== "taken") return false;

    const record = data.find(npi);
    if (record === null) return false;
    const body = renderRecord(data, record);
    const bytes = Buffer.byteLength(body);
    if (bytes >= COMPRESSION_THRESHOLD_BYTES && acceptsEncodings(request))
      return false;

    const burst = deps.gate.takeBurst(account, nowMs);
    if (
      !burst.allowed ||
      deps.gate.takeQuota(account, nowMs, LOOKUP_ROUTE.counted) !== "taken"
    )
      return false;
    const id = requestId(request, deps.makeRequestId);
    const headers = answerHeaders(
      id,
      { account, burst },
      deps.gate.quota(account, nowMs),
      validatorsOf(data, npi),
    );
    headers.push("content-type", JSON_TYPE, "content-length", String(bytes));
    writeAnswer(response, headers, body);
    deps.answerCounts?.noteAnswer(
      LOOKUP_ROUTE.counted,
      200,
      performance.now() - receivedMs,
    );
    const ids = traceAnswer(deps, request, {
      method: "GET",
      route: LOOKUP_ROUTE.path,
      status: 200,
      receivedMs,
    });
    deps.answerLog?.({
      request_id: id,
      trace_id: ids?.traceId,
      span_id: ids?.spanId,
      method: "GET",
      route: LOOKUP_ROUTE.path,
      status: 200,
      ms: millisecondsSince(receivedMs),
      account: account.id,
      key: "valid",
      params: [],
    });
    return true;
  };
}

/** The NPI of a plain lookup, else null. */
function plainNpi({
  headers,
  method,
  url = "",
}: IncomingMessage): string | null {
  if (
    method !== "GET" ||
    url.length !== PATH.length + NPI_LENGTH ||
    !url.startsWith(PATH) ||
    headers["if-none-match"] !== undefined ||
    headers["if-modified-since"] !== undefined
  )
    return null;
  const npi = url.slice(PATH.length);
  return checkNpi(npi) === "ok" ? npi : null;
}

function acceptsEncodings({ headers }: IncomingMessage): boolean {
  return headers["accept-encoding"] !== undefined;
}

/** The first segments of paths that are answered from the data: `/v1/`, `/api`, `/api/` and `/explore/`. */
const WAITING: ReadonlySet<string> = new Set(
  ROUTES.filter(({ access }) => isKeyed(access) || access === "explorer").map(
    ({ path }) => firstSegment(path),
  ),
);

function isWaiting({ url }: IncomingMessage): boolean {
  return url !== undefined && WAITING.has(firstSegment(url));
}

/** The path up to its second slash, or all of it. */
function firstSegment(target: string): string {
  const query = target.indexOf("?");
  const path = query === -1 ? target : target.slice(0, query);
  const slash = path.indexOf("/", 1);
  return slash === -1 ? path : path.slice(0, slash + 1);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers["transfer-encoding"] !== undefined ||
    headers["content-length"] !== undefined
  );
}
