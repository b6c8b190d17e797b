import { API_ERROR_CODES, ERRORS } from "../../contract/errors.ts";
import type { ApiErrorCode, ErrorCode } from "../../contract/errors.ts";
import { errorBody, problemBody } from "../pipeline/failure.ts";
import type { Failure } from "../pipeline/failure.ts";
import { headerNames, headerRefs, namedExamples } from "./openapi-parts.ts";
import type { Json, JsonObject } from "./openapi-parts.ts";
import type { DescribedRoute } from "../routes/route.ts";
import {
  LIMIT_HEADERS,
  RESPONSE_HEADERS,
} from "../pipeline/response-headers.ts";

const EXAMPLE_REQUEST_ID = RESPONSE_HEADERS["X-Request-Id"].example;

/** What any path can answer with. */
const COMMON_CODES: readonly ApiErrorCode[] = [
  "malformed_request",
  "method_not_allowed",
  "uri_too_long",
  "headers_too_large",
  "internal_error",
];

/** What any path that needs a key can answer with. */
const KEY_CODES: readonly ApiErrorCode[] = [
  "missing_api_key",
  "invalid_api_key",
  "account_suspended",
  "too_many_failures",
  "rate_limit_exceeded",
  "quota_exceeded",
  "data_not_loaded",
  "accounts_unavailable",
];

/** An operation's failures: by status, references to the shared responses. */
export function failureRefs(route: DescribedRoute): JsonObject {
  const groups = failureGroups(route);
  return Object.fromEntries(
    groups.map((group) => [
      group.status,
      { $ref: `#/components/responses/${nameOf(group)}` },
    ]),
  );
}

/** The responses that `failureRefs` refers to; links in their examples are below the service's address. */
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

/** The codes that an operation can answer under one status. */
interface FailureGroup {
  readonly status: string;
  readonly codes: readonly ApiErrorCode[];
  /** Whether the answer states the account's limits. */
  readonly limited: boolean;
}

function failureGroups({ access, described }: DescribedRoute): FailureGroup[] {
  const isKeyed = access === "key";
  const codes = new Set<ErrorCode>([
    ...COMMON_CODES,
    ...(isKeyed ? KEY_CODES : []),
    ...(described.codes ?? []),
  ]);
  const byStatus = Map.groupBy(
    API_ERROR_CODES.filter((code) => codes.has(code)),
    (code) => String(ERRORS[code].status),
  );
  return [...byStatus].map(([status, group]) => ({
    status,
    codes: group,
    limited: isKeyed && group.some((code) => AFTER_KEY.has(code)),
  }));
}

function nameOf({ codes, limited }: FailureGroup): string {
  return codes.join("-or-") + (limited ? "-with-limits" : "");
}

function failure({ codes, limited }: FailureGroup, serviceUrl: string): Json {
  const examples = codes.map((code) => EXAMPLE_FAILURES[code]);
  const special = new Set(
    examples.flatMap(({ headers = {} }) => Object.keys(headers)),
  );
  const own = headerNames().filter((name) => special.has(name.toLowerCase()));
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

/** The codes that can only be met with a valid key, whose answers state the limits. */
const AFTER_KEY: ReadonlySet<ApiErrorCode> = new Set<ApiErrorCode>([
  ...([
    "rate_limit_exceeded",
    "quota_exceeded",
    "data_not_loaded",
    "internal_error",
  ] as const),
  ...([
    "invalid_npi",
    "invalid_parameter",
    "invalid_location",
    "details_not_held",
    "provider_not_found",
    "cursor_gone",
    "details_unreadable",
  ] as const),
]);

/** What each code may look like. */
const EXAMPLE_FAILURES: Readonly<Record<ApiErrorCode, Failure>> = {
  accounts_unavailable: {
    code: "accounts_unavailable",
    message: "The API key cannot be checked at the moment. Try again in 5 s.",
  },
  malformed_request: {
    code: "malformed_request",
    message: "The request target is not percent-encoded UTF-8.",
  },
  invalid_npi: parameterExample(
    "invalid_npi",
    "npi",
    "The check digit of this NPI is wrong.",
  ),
  invalid_parameter: parameterExample(
    "invalid_parameter",
    "limit",
    "limit must be a whole number from 1 to 100.",
  ),
  invalid_location: parameterExample(
    "invalid_location",
    "zip",
    "Give a zip, or both lat and lng.",
  ),
  missing_api_key: {
    code: "missing_api_key",
    message:
      "The request has no API key. Send it as Authorization: Bearer <API key>.",
    headers: { "www-authenticate": "Bearer" },
  },
  invalid_api_key: {
    code: "invalid_api_key",
    message:
      "This is not a valid API key: it is mistyped, unknown, revoked or expired.",
    headers: { "www-authenticate": 'Bearer error="invalid_token"' },
  },
  account_suspended: {
    code: "account_suspended",
    message: "The account of this API key is suspended.",
  },
  details_not_held: parameterExample(
    "details_not_held",
    "include",
    "This installation does not hold locations; held are taxonomies, identity. Its operator gets them with an import of the registry's full zip and --details all.",
  ),
  not_found: {
    code: "not_found",
    message:
      "There is nothing at this path. The operations are described at /docs.",
  },
  provider_not_found: {
    code: "provider_not_found",
    message: "The registry does not hold the NPI 2000000036.",
  },
  method_not_allowed: {
    code: "method_not_allowed",
    message: "This path does not take POST; it takes GET, HEAD, OPTIONS.",
    headers: { allow: "GET, HEAD, OPTIONS" },
  },
  cursor_gone: {
    code: "cursor_gone",
    message:
      "This cursor's place in the list of changes is no longer there. Go back to an older cursor and look up again what the list named behind it, or take a new copy of the data.",
  },
  uri_too_long: {
    code: "uri_too_long",
    message: "The request target has more than 8192 bytes.",
  },
  headers_too_large: {
    code: "headers_too_large",
    message: "The request headers have more than 16384 bytes.",
  },
  too_many_failures: {
    code: "too_many_failures",
    message: "Too many wrong keys came from this address. Try again in 42 s.",
    headers: { "retry-after": "42" },
  },
  rate_limit_exceeded: {
    code: "rate_limit_exceeded",
    message: "The free plan allows 10 requests a second. Try again in 1 s.",
    headers: { "retry-after": "1" },
  },
  quota_exceeded: {
    code: "quota_exceeded",
    message:
      "All 1000 requests of this month are used. The next month begins on 2026-12-01, 00:00 UTC.",
    headers: { "retry-after": "863999" },
  },
  internal_error: {
    code: "internal_error",
    message: "The service failed to answer.",
  },
  details_unreadable: {
    code: "details_unreadable",
    message:
      "The file that holds these details cannot be read. Without include the record is served.",
  },
  data_not_loaded: {
    code: "data_not_loaded",
    message: "No registry data is loaded yet. Try again soon.",
    headers: { "retry-after": "5" },
  },
};

function parameterExample(
  code: ApiErrorCode,
  param: string,
  message: string,
): Failure {
  return { code, message, details: [{ param, code, message }] };
}
