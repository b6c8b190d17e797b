/** The headers of responses, for the OpenAPI document. */
export const RESPONSE_HEADERS = {
  "X-Request-Id": {
    description:
      "The request id: the one you sent in `X-Request-Id`, if it was valid, or a new one. On every response.",
    example: "0b0f9a52-6f0e-4d1e-9c55-3a1f3a2f1c10",
  },
  "RateLimit-Policy": {
    description:
      "The account's limits in the format of the IETF draft: `q` requests in `w` seconds. The month is the calendar month in UTC, and its `w` is the length of that month.",
    example: '"month";q=1000;w=2592000, "burst";q=10;w=1',
  },
  RateLimit: {
    description:
      "What is left of the limits after this response: `r` requests. `t` is the number of seconds until the next month, or until the rate limit is full again.",
    example: '"month";r=997;t=863999, "burst";r=9;t=1',
  },
  "X-RateLimit-Limit": { description: "The monthly quota.", example: "1000" },
  "X-RateLimit-Remaining": {
    description:
      "What is left of the monthly quota. Of several nodes, each shows what it knows: what others have prepaid counts as used, and what they prepaid in the last seconds may be missing.",
    example: "997",
  },
  "X-RateLimit-Reset": {
    description:
      "When the quota resets, in seconds since 1970-01-01T00:00:00Z.",
    example: "1796083200",
  },
  ETag: {
    description:
      "Identifies this response from this snapshot of the data. Weak, and the same for every encoding.",
    example: 'W/"kQ3vYx0Zb7JtR2sE"',
  },
  "Last-Modified": {
    description: "When the snapshot was created.",
    example: "Mon, 16 Nov 2026 03:15:00 GMT",
  },
  Snapshot: {
    description:
      "The ID of the snapshot of the data that this response comes from. To page through results of the same snapshot, send it as `snapshot`.",
    example: "20261116T031500000Z",
  },
  "Cache-Control": {
    description:
      "`private` on responses from the data, `public, max-age=30` on the status, `no-store` on other errors and on health, `no-cache` on documentation.",
    example: "private",
  },
  Vary: {
    description:
      "The request headers that the response depends on: `Authorization` and `Accept-Encoding`, on errors also `Accept`.",
    example: "Authorization, Accept-Encoding",
  },
  Link: {
    description:
      "The `first`, `prev` and `next` pages of the same request (RFC 8288), if they exist.",
    example:
      '</v1/providers/search?state=IL&page=1>; rel="first", </v1/providers/search?state=IL&page=2>; rel="next"',
  },
  "X-Total-Count": {
    description: "How many providers match, of an export or of `/api/`.",
    example: "1290",
  },
  "Content-Disposition": {
    description: "A file name for an export.",
    example: 'attachment; filename="providers-20261116T031500000Z.ndjson"',
  },
  "Accept-Ranges": {
    description: "The unit of ranges that you can ask for.",
    example: "bytes",
  },
  "Content-Range": {
    description: "The range, and the size of the file. On 206 and 416.",
    example: "bytes 0-16383/53506954",
  },
  "Retry-After": {
    description: "Seconds to wait before the next request. On 429 and 503.",
    example: "1",
  },
  "WWW-Authenticate": {
    description:
      '`Bearer`, with `error="invalid_token"` if the key is invalid.',
    example: 'Bearer error="invalid_token"',
  },
  Allow: {
    description:
      "The methods that the path accepts, on 405 and on responses to OPTIONS.",
    example: "GET, HEAD, OPTIONS",
  },
} as const satisfies Record<
  string,
  { readonly description: string; readonly example: string }
>;

export type HeaderName = keyof typeof RESPONSE_HEADERS;

/** On every answer to a valid key. */
export const LIMIT_HEADERS: readonly HeaderName[] = [
  "RateLimit-Policy",
  "RateLimit",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
];

/** On every answer from the data, and on 304. */
export const CACHE_HEADERS: readonly HeaderName[] = [
  "ETag",
  "Last-Modified",
  "Snapshot",
  "Cache-Control",
  "Vary",
];
