import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type {
  BurstState,
  Plan,
  QuotaState,
} from "../../accounts/metering/gate.ts";
import { OPEN_METHODS } from "./failure.ts";

/** Alternating header names, in lower case, and values: the format that Node writes fastest. */
export type HeaderList = readonly string[];

/** The Content-Type of JSON, except for problems. */
export const JSON_TYPE = "application/json; charset=utf-8";
export const HTML_TYPE = "text/html; charset=utf-8";
export const TEXT_TYPE = "text/plain; charset=utf-8";

/** The header of responses that no cache may store. */
export const NO_STORE: HeaderList = ["cache-control", "no-store"];

/** The headers that scripts may read in addition to the CORS-safelisted ones. */
export const EXPOSED_HEADERS = [
  "ETag",
  "Link",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Snapshot",
  "WWW-Authenticate",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
] as const;

/** Makes the header that lets scripts read further headers, too. */
export function exposing(...names: readonly string[]): HeaderList {
  return [
    "access-control-expose-headers",
    [...EXPOSED_HEADERS, ...names].join(", "),
  ];
}

/**
 * Headers of every answer. Scripts of any origin may read it (keys travel in a header; routes with cookies leave this
 * out), but it cannot be used as a page, frame or script. The list is short on purpose: each header
 * adds about 0.3 µs to every answer, 3 % of what a bare server takes.
 */
export const FIXED_HEADERS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED_HEADERS.join(", "),
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "strict-transport-security": "max-age=31536000",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

export const FIXED_HEADER_LIST: HeaderList =
  Object.entries(FIXED_HEADERS).flat();

/** The same without those that let other sites' scripts read a response. */
export const UNSHARED_HEADER_LIST: HeaderList = Object.entries(FIXED_HEADERS)
  .filter(([name]) => !name.startsWith("access-control-"))
  .flat();

/**
 * Additional headers of pages: everything that helmet sets. The documentation pages are self-contained and may
 * load an icon.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "img-src 'self'",
    "style-src 'unsafe-inline'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
};

/** The headers of answers to OPTIONS, preflight or not. `*` does not cover Authorization, so it is listed. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  allow: OPEN_METHODS,
  "access-control-allow-methods": OPEN_METHODS,
  "access-control-allow-headers":
    "Authorization, Accept, If-Modified-Since, If-None-Match, X-Request-Id, *",
  "access-control-max-age": "86400",
};

/** A valid request id from a client; it goes into logs and back into a header. */
export const REQUEST_ID = /^[A-Za-z0-9._~:/+=@-]{1,128}$/;

/** An API key in a text, also one with a mistake, which may be a real one with a character more or less. */
const LIKE_A_KEY = /pd_live_/i;

/** Returns the request id: the client's `X-Request-Id` if it is valid and has no API key in it, else a new one. */
export function requestId(
  request: Pick<IncomingMessage, "headers">,
  make: () => string,
): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" &&
    REQUEST_ID.test(given) &&
    !LIKE_A_KEY.test(given)
    ? given
    : make();
}

/** Returns a request's headers as a web standard `Headers`. */
export function headersOf({
  headers,
}: {
  readonly headers: IncomingHttpHeaders;
}): Headers {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) given.set(name, [value].flat().join(", "));
  }
  return given;
}

/**
 * Makes an account's limits: RateLimit and RateLimit-Policy of the IETF draft (httpapi-ratelimit-headers), and the
 * month's X-RateLimit headers for today's clients. X-RateLimit-Reset is in epoch seconds.
 */
export function rateHeaders(
  plan: Plan,
  burst: BurstState,
  quota: QuotaState,
): HeaderList {
  return [
    "ratelimit-policy",
    `"month";q=${quota.limit};w=${quota.windowSeconds}, "burst";q=${plan.burstPerSecond};w=1`,
    "ratelimit",
    `"month";r=${quota.remaining};t=${quota.resetSeconds}, "burst";r=${burst.remaining};t=${burst.resetSeconds}`,
    "x-ratelimit-limit",
    String(quota.limit),
    "x-ratelimit-remaining",
    String(quota.remaining),
    "x-ratelimit-reset",
    String(quota.resetAt),
  ];
}

/** The ID of the snapshot that an answer comes from; `snapshot=` takes it. */
export const SNAPSHOT_HEADER = "snapshot";

/** An answer's entity tag without quotes, and its snapshot's time and ID. */
export interface Validators {
  readonly tag: string;
  readonly lastModified: string;
  readonly snapshot: string;
}

/** Makes the caching headers of an answer from the data, and its snapshot. */
export function cacheHeaders(
  { lastModified, snapshot, tag }: Validators,
  cacheControl = "private",
): string[] {
  return [
    SNAPSHOT_HEADER,
    snapshot,
    "etag",
    `W/"${tag}"`,
    "last-modified",
    lastModified,
    "cache-control",
    cacheControl,
    "vary",
    "Authorization, Accept-Encoding",
  ];
}

/** Finds a name among headers; -1 if none has it. A value can be the same text: clients choose the request's id. */
export function placeOf(headers: HeaderList, name: string): number {
  for (let i = 0; i < headers.length; i += 2) if (headers[i] === name) return i;
  return -1;
}

/** Adds further headers. One with the name of another header replaces it. */
export function withHeaders(headers: string[], more: HeaderList): string[] {
  for (let i = 0; i < more.length; i += 2) {
    const at = placeOf(headers, more[i]!);
    if (at === -1) headers.push(more[i]!, more[i + 1]!);
    else headers[at + 1] = more[i + 1]!;
  }
  return headers;
}
