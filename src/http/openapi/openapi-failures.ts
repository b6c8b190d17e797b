import type { TObject } from "typebox";
import {
  API_ERROR_CODES,
  ERRORS,
  type ApiErrorCode,
  type ErrorCode,
} from "../../contract/errors/errors.ts";
import { SearchParameters } from "../../contract/parameters.ts";
import * as refused from "../access/failures.ts";
import { quotaExceeded } from "../access/caller.ts";
import { serviceBusy, tooManyAtOnce } from "../limits/account-share.ts";
import {
  internalError,
  methodNotAllowed,
  type Failure,
} from "../pipeline/failure.ts";
import * as unreadable from "../pipeline/request-check.ts";
import { dataNotLoaded, snapshotGone } from "../queries/data-operation.ts";
import { parameterFailure, queryReader } from "../queries/query-string.ts";
import { notInPlan } from "../access/file-access.ts";
import { notInFile, unknownFile, withoutFiles } from "../routes/files.ts";
import { cursorGone } from "../routes/changes.ts";
import { unready } from "../routes/health.ts";
import * as lookup from "../routes/lookup.ts";
import { placeProblems } from "../routes/nearby.ts";
import { unknownTaxonomy } from "../routes/taxonomies.ts";
import { errorBody, problemBody } from "../pipeline/failure-reply.ts";
import { isKeyed, type DescribedRoute } from "../routes/route.ts";
import {
  LIMIT_HEADERS,
  RESPONSE_HEADERS,
} from "../pipeline/response-headers.ts";

const RESET_AT = Number(RESPONSE_HEADERS["X-RateLimit-Reset"].example);

/** An example of each error, made by the code that returns it. */
const EXAMPLE_FAILURES: Readonly<Record<ApiErrorCode, Failure>> = {
  accounts_unavailable: refused.keyUnchecked(5),
  malformed_request: unreadable.notUtf8(),
  invalid_npi: parameterFailure(lookup.npiProblems("1976056767")),
  invalid_parameter: parameterFailure(
    queryReader(SearchParameters)("limit=0").problems,
  ),
  invalid_location: parameterFailure(placeProblems(new Set())),
  missing_api_key: refused.missingKey(),
  invalid_api_key: refused.invalidKey(),
  account_suspended: refused.keySuspended(),
  details_not_held: lookup.detailsNotAvailable(
    ["locations"],
    ["taxonomies", "identity"],
  ),
  files_not_in_plan: notInPlan({ name: "free" }),
  files_not_ready: withoutFiles(
    RESPONSE_HEADERS.Snapshot.example,
    RESPONSE_HEADERS.Snapshot.example,
  ),
  range_not_satisfiable: notInFile({ size: 53_506_954 }),
  not_found: unknownFile(RESPONSE_HEADERS.Snapshot.example),
  provider_not_found: lookup.notInRegistry("1234567893"),
  taxonomy_not_found: unknownTaxonomy("207Q00000Y"),
  method_not_allowed: methodNotAllowed("POST"),
  cursor_gone: cursorGone(),
  snapshot_gone: snapshotGone(
    RESPONSE_HEADERS.Snapshot.example,
    "20261123T031500000Z",
  ),
  uri_too_long: unreadable.uriTooLong(),
  headers_too_large: unreadable.headersTooLarge(),
  too_many_failures: refused.tooManyFailures(42),
  rate_limit_exceeded: refused.tooFast(
    { name: "free", burstPerSecond: 10 },
    { retryAfterSeconds: 1 },
  ),
  too_many_at_once: tooManyAtOnce(),
  service_busy: serviceBusy(),
  quota_exceeded: quotaExceeded({
    limit: 1_000,
    remaining: 0,
    resetAt: RESET_AT,
    resetSeconds: 863_999,
  }),
  internal_error: internalError(),
  details_unreadable: lookup.UNREADABLE,
  data_not_loaded: dataNotLoaded(),
  snapshot_behind: unready("snapshot_behind"),
  shutting_down: unready("shutting_down"),
};

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

/** References to the document's headers. */
export function headerRefs(names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** Returns values as named OpenAPI examples. */
export function namedExamples(
  examples: Readonly<Record<string, object>>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(examples).map(([name, value]) => [
      name,
      { value: toJson(value) },
    ]),
  );
}

/** Makes a plain JSON copy, without TypeBox's own symbols. */
export function toJson(value: object): JsonObject {
  const copy: JsonObject = JSON.parse(JSON.stringify(value));
  return copy;
}

const EXAMPLE_REQUEST_ID = RESPONSE_HEADERS["X-Request-Id"].example;

/** Errors that any path may have before it knows a valid key. */
const COMMON_CODES: readonly ApiErrorCode[] = [
  "malformed_request",
  "method_not_allowed",
  "uri_too_long",
  "headers_too_large",
];
const KEY_CODES: readonly ApiErrorCode[] = [
  "missing_api_key",
  "invalid_api_key",
  "account_suspended",
  "too_many_failures",
  "accounts_unavailable",
];
const WITHOUT_KEY = new Set([...COMMON_CODES, ...KEY_CODES]);

/** Errors of every path that requires a key, once it is valid. Responses then have the account's limits. */
const LIMITED_CODES: readonly ApiErrorCode[] = [
  "rate_limit_exceeded",
  "quota_exceeded",
  "data_not_loaded",
  "service_busy",
];

/** Lists a route's failures as references to the shared responses, by status. */
export function failureRefs(route: DescribedRoute): JsonObject {
  const groups = failureGroups(route);
  return Object.fromEntries(
    groups.map((group) => [
      group.status,
      { $ref: `#/components/responses/${nameOf(group)}` },
    ]),
  );
}

/** Makes the responses that `failureRefs` refers to; links in their examples use the service's URL. */
export function failureResponses(
  routes: readonly DescribedRoute[],
  serviceUrl: string,
): JsonObject {
  return Object.fromEntries(
    routes
      .flatMap(failureGroups)
      .map((group) => [nameOf(group), failure(group, serviceUrl)]),
  );
}

/** A route's codes of one status. */
interface FailureGroup {
  readonly status: string;
  readonly codes: readonly ApiErrorCode[];
  /** True if the answer has the account's limits. */
  readonly limited: boolean;
}

function failureGroups({ access, described }: DescribedRoute): FailureGroup[] {
  const hasKey = isKeyed(access);
  const codes = new Set<ErrorCode>([
    ...COMMON_CODES,
    "internal_error",
    ...(hasKey ? [...KEY_CODES, ...LIMITED_CODES] : []),
    ...codesOfQuery(described.query),
    ...(described.codes ?? []),
  ]);
  const byStatus = Map.groupBy(
    API_ERROR_CODES.filter((code) => codes.has(code)),
    (code) => String(ERRORS[code].status),
  );
  return [...byStatus].map(([status, group]) => ({
    status,
    codes: group,
    limited: hasKey && group.some((code) => !WITHOUT_KEY.has(code)),
  }));
}

/** Lists the errors that a query can have by its schema. */
function codesOfQuery(query: TObject | undefined): ApiErrorCode[] {
  const isStrict =
    query !== undefined && Reflect.get(query, "additionalProperties") === false;
  if (!isStrict) return [];
  return "snapshot" in query.properties
    ? ["invalid_parameter", "snapshot_gone", "snapshot_behind"]
    : ["invalid_parameter"];
}

function nameOf({ codes, limited }: FailureGroup): string {
  return codes.join("-or-") + (limited ? "-with-limits" : "");
}

function failure({ codes, limited }: FailureGroup, serviceUrl: string): Json {
  const examples = codes.map((code) => EXAMPLE_FAILURES[code]);
  const special = new Set(
    examples.flatMap(({ headers = {} }) => Object.keys(headers)),
  );
  const own = Object.keys(RESPONSE_HEADERS).filter((name) =>
    special.has(name.toLowerCase()),
  );
  const limits = limited ? LIMIT_HEADERS : [];
  const named = (write: typeof errorBody) =>
    namedExamples(
      Object.fromEntries(
        examples.map((example) => [
          example.code,
          JSON.parse(write(example, serviceUrl, EXAMPLE_REQUEST_ID)),
        ]),
      ),
    );
  return {
    description: codes
      .map((code) => `\`${code}\`: ${ERRORS[code].when}`)
      .join("\n\n"),
    headers: headerRefs([
      "X-Request-Id",
      "Cache-Control",
      "Vary",
      ...limits,
      ...own,
    ]),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: named(errorBody),
      },
      "application/problem+json": {
        schema: { $ref: "#/components/schemas/Problem" },
        examples: named(problemBody),
      },
    },
  };
}
