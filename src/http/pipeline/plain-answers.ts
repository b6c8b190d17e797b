import type {
  IncomingHttpHeaders,
  IncomingMessage,
  ServerResponse,
} from "node:http";
import type { Operation } from "../../contract/operation.ts";
import { checkNpi } from "../../registry/npi.ts";
import type { Directory } from "../../search/directory.ts";
import { JSON_FORMAT } from "../../search/render/formats.ts";
import type { JsonText } from "../../search/render/json-text.ts";
import { bearerToken, type InvalidKeyLimiter } from "../access/authorize.ts";
import type { AppContext } from "../app-context.ts";
import { COMPRESSION_THRESHOLD_BYTES } from "../limits/server-limits.ts";
import {
  isFailure,
  writePage,
  type DataOperation,
  type ResultPage,
} from "../queries/data-operation.ts";
import { pageLinks, type QueryPairs } from "../queries/query-string.ts";
import { LOOKUP_ROUTE, writeRecord } from "../routes/lookup.ts";
import { NEARBY, NEARBY_ROUTE } from "../routes/nearby.ts";
import { SEARCH, SEARCH_ROUTE } from "../routes/search.ts";
import { formatOf } from "./answer-data.ts";
import { validatorsBySnapshot } from "./conditional.ts";
import {
  ownHeaders,
  JSON_TYPE,
  requestId,
  type HeaderList,
} from "./headers.ts";
import { checkRequest } from "./request-check.ts";
import {
  millisecondsSince,
  parameterNames,
  traceAnswer,
} from "./request-log.ts";
import type { WriteRendered } from "./write-answer.ts";

const LOOKUP_PREFIX = LOOKUP_ROUTE.path.slice(
  0,
  LOOKUP_ROUTE.path.indexOf(":"),
);
const NPI_LENGTH = 10;
const NO_PAIRS: QueryPairs = [];
const NO_HEADERS: HeaderList = [];

/** Answers a request, or returns false and leaves it as it is. */
export type AnswerPlainly = (
  request: IncomingMessage,
  response: ServerResponse,
) => boolean;

/** A request that can be answered plainly, up to its execution. */
interface PlainRequest {
  readonly route: { readonly path: string; readonly counted: Operation };
  /** Distinguishes it for entity tags. */
  readonly key: string;
  /** The query string's parameters. */
  readonly pairs: QueryPairs;
  /** Whether the answer takes little work and may be below the threshold of compression. */
  readonly isShort: boolean;
  /** Executes and renders it; null if that fails. */
  answer(): PlainAnswer | null;
}

interface PlainAnswer {
  /** Valid until something else is rendered. */
  readonly body: JsonText;
  readonly headers: HeaderList;
}

/** Reads a request's target; null for anything that isn't plain. */
type ReadPlainly = (target: string, data: Directory) => PlainRequest | null;

/** How plain requests are read, and their answers written. */
interface PlainWays {
  readonly read: ReadPlainly;
  readonly write: WriteRendered;
}

/** Plain look-ups: no query, and an NPI in the registry. */
export const readPlainLookup: ReadPlainly = (target, data) => {
  if (
    target.length !== LOOKUP_PREFIX.length + NPI_LENGTH ||
    !target.startsWith(LOOKUP_PREFIX)
  )
    return null;
  const npi = target.slice(LOOKUP_PREFIX.length);
  const record = checkNpi(npi) === "ok" ? data.find(npi) : null;
  return record === null
    ? null
    : {
        route: LOOKUP_ROUTE,
        key: npi,
        pairs: NO_PAIRS,
        isShort: true,
        answer: () => ({
          body: writeRecord(data, record),
          headers: NO_HEADERS,
        }),
      };
};

/** Pages of searches and nearby searches. */
export function readPlainPage({ settings }: AppContext): ReadPlainly {
  const root = settings.publicUrl ?? "";
  const readSearch = pageReader(root, SEARCH_ROUTE, SEARCH);
  const readNearby = pageReader(root, NEARBY_ROUTE, NEARBY);
  return (target, data) => readSearch(target, data) ?? readNearby(target, data);
}

function pageReader<
  Parsed extends { readonly pairs: QueryPairs },
  Query extends object,
>(
  root: string,
  route: PlainRequest["route"],
  operation: DataOperation<Parsed, Query, ResultPage>,
): ReadPlainly {
  const { path } = route;
  const start = `${path}?`;
  return (target, data) => {
    if (!target.startsWith(start)) return null;
    const parsed = operation.parse({ url: target, params: {} });
    if (isFailure(parsed)) return null;
    const pinned = operation.pinned?.(parsed);
    if (pinned !== undefined && pinned !== data.id) return null;
    const query = operation.resolve(data, parsed);
    if (isFailure(query)) return null;
    return {
      route,
      key: operation.key(parsed, data),
      pairs: parsed.pairs,
      isShort: false,
      answer() {
        const found = operation.execute(data, query);
        if (isFailure(found)) return null;
        const { links } = found;
        return {
          body: writePage(data, found),
          headers:
            links === undefined
              ? NO_HEADERS
              : ["link", pageLinks(root + path, links)],
        };
      },
    };
  };
}

/**
 * Answers plain requests past the framework: GET, a valid key, no conditions, an answer from the data that needs no
 * compression. Most requests of programs are like this, and the framework takes a fifth of a look-up's time. It leaves
 * everything else as it is, to be answered by the framework: all failures, 304s, compressed answers and their rules.
 * Until it is sure, it changes nothing except the key's last use. A request costs two tokens of the burst limit if
 * another thread spends the quota at the same moment, or if a page fails.
 */
export function plainAnswers(
  deps: AppContext,
  invalidKeys: InvalidKeyLimiter,
  { read, write }: PlainWays,
): AnswerPlainly {
  const validatorsOf = validatorsBySnapshot(deps.tagSecret);
  return function answerPlainly(request, response) {
    const receivedMs = performance.now();
    const { headers, method, url = "" } = request;
    const data = deps.data.current;
    if (
      method !== "GET" ||
      data === null ||
      !url.startsWith(LOOKUP_PREFIX) ||
      isConditional(headers) ||
      formatOf(headers.accept) !== JSON_FORMAT
    )
      return false;
    const token = bearerToken(headers.authorization);
    if (token === null || checkRequest(request) !== null) return false;
    const nowMs = deps.now();
    // Only Fastify knows the client's address.
    if (invalidKeys.isAnyLimited(nowMs)) return false;
    const verdict = deps.gate.verify(token, nowMs);
    if (verdict.status !== "valid") return false;
    const { account } = verdict;

    const plain = unlessItThrows(() => read(url, data));
    if (plain === null) return false;
    const isCompressible = headers["accept-encoding"] !== undefined;
    const { isShort, key, pairs, route } = plain;
    if (isCompressible && !isShort) return false;
    if (deps.gate.checkQuota(account, nowMs) !== "taken") return false;
    const early = isShort ? unlessItThrows(() => plain.answer()) : null;
    if (
      isShort &&
      (early === null ||
        (isCompressible && early.body.length >= COMPRESSION_THRESHOLD_BYTES))
    )
      return false;

    const burst = deps.gate.takeBurst(account, nowMs);
    if (!burst.allowed) return false;
    const answer = early ?? unlessItThrows(() => plain.answer());
    if (
      answer === null ||
      deps.gate.takeQuota(account, nowMs, route.counted) !== "taken"
    )
      return false;
    const { body } = answer;
    const id = requestId(request, deps.makeRequestId);
    const all = ownHeaders(
      id,
      { account, burst },
      deps.gate.quota(account, nowMs),
      validatorsOf(data, key),
    );
    const length = String(body.length);
    all.push(...answer.headers);
    all.push("content-type", JSON_TYPE, "content-length", length);
    write(response, all, body);
    deps.answerCounts?.noteAnswer(
      route.counted,
      200,
      performance.now() - receivedMs,
    );
    const ids = traceAnswer(deps, request, {
      method: "GET",
      route: route.path,
      status: 200,
      receivedMs,
    });
    deps.answerLog?.({
      request_id: id,
      trace_id: ids?.traceId,
      span_id: ids?.spanId,
      method: "GET",
      route: route.path,
      status: 200,
      ms: millisecondsSince(receivedMs),
      account: account.id,
      key: "valid",
      params: parameterNames(pairs),
    });
    return true;
  };
}

function isConditional(headers: IncomingHttpHeaders): boolean {
  return (
    headers["if-none-match"] !== undefined ||
    headers["if-modified-since"] !== undefined
  );
}

/** The framework answers what throws here, and logs the error that it throws again. */
function unlessItThrows<Result>(make: () => Result | null): Result | null {
  try {
    return make();
  } catch {
    return null;
  }
}
