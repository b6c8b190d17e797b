/** A row of the error table. `/docs/errors` and `docs/errors.md` show all of it. */
export interface ErrorRow {
  readonly status: number;
  /** A few words; `title` in RFC 9457. */
  readonly title: string;
  /** The cause, in sentences. */
  readonly when: string;
  /** The advice to the client. */
  readonly remedy: string;
}

/** Every error code. Tests compare the documentation with this table. */
export const ERRORS = {
  malformed_request: {
    status: 400,
    title: "Malformed request",
    when: "The request is not valid HTTP: for example, the URL has broken percent-encoding, bytes that are not UTF-8, a NUL or a `#`, or the `Host` header is missing or repeated.",
    remedy:
      "Build the URL with a library that percent-encodes UTF-8, and send HTTP/1.1.",
  },
  invalid_npi: {
    status: 400,
    title: "Invalid NPI",
    when: "The NPI in the path is not 10 digits, or its check digit is wrong. The message says which.",
    remedy:
      "Check the number for a typo. A number that passes this check can still be unknown (`provider_not_found`).",
  },
  invalid_parameter: {
    status: 400,
    title: "Invalid parameter",
    when: "A query parameter has an unknown name, is repeated, has the wrong type or format, is out of range, is longer than 100 characters, or is a text without a letter or digit; or the taxonomy code in the path is not 10 letters and digits.",
    remedy:
      "Fix every parameter listed in `details`. Each message states the limit.",
  },
  invalid_location: {
    status: 400,
    title: "Invalid location",
    when: "A nearby search has neither `zip` nor both `lat` and `lng`, has only one of `lat` and `lng`, or has a ZIP code whose location is unknown.",
    remedy: "Send a 5-digit U.S. ZIP code, or both `lat` and `lng`.",
  },
  details_not_held: {
    status: 400,
    title: "Details not available",
    when: "The request needs data that this installation does not store, for `include`, a scope of `any`, `middle_initial`, or `sort`. The message names what is missing.",
    remedy:
      "Leave that out. The operator adds parts and scopes with `--details all`; any import adds middle initials and the order by name.",
  },
  invalid_body: {
    status: 400,
    title: "Invalid body",
    when: "The body of a request to `/account` or `/billing` is not what the path expects. The message says what to send.",
    remedy: "Send the body that the message describes, as `application/json`.",
  },
  invalid_signature: {
    status: 400,
    title: "Invalid signature",
    when: "An event sent to `/billing/webhook` was not signed with the endpoint's secret, or was signed more than five minutes ago.",
    remedy:
      "If Stripe sent it, check `STRIPE_WEBHOOK_SECRET` and the server's clock.",
  },
  missing_api_key: {
    status: 401,
    title: "Missing API key",
    when: "The request has no bearer token: the `Authorization` header is missing, has another scheme, or has no key after `Bearer`.",
    remedy:
      "Send `Authorization: Bearer <API key>`. The key is never read from the URL, except by `/api/` as the user name of HTTP Basic.",
  },
  invalid_api_key: {
    status: 401,
    title: "Invalid API key",
    when: "The key is mistyped, was never issued, was revoked, or has expired.",
    remedy: "Check that you copied the whole key, or create a new one.",
  },
  not_signed_in: {
    status: 401,
    title: "Not signed in",
    when: "The request to `/account` has no session cookie, or the session has ended. API keys don't work here.",
    remedy: "Sign in and send the session cookie.",
  },
  sign_in_required: {
    status: 401,
    title: "Sign-in required",
    when: "The portal's explorer (`/explore`) is open only to signed-in users with a verified email address.",
    remedy:
      "Sign in at `/sign-in` and send the session cookie, or use `/v1` with an API key.",
  },
  explorer_closed: {
    status: 403,
    title: "Explorer closed",
    when: "The portal's explorer (`/explore`) is open only to signed-in users, and sign-in is turned off.",
    remedy:
      "Use `/v1` with an API key, or ask the operator to open the explorer (`EXPLORER=open`).",
  },
  wrong_password: {
    status: 403,
    title: "Wrong password",
    when: "The password sent to confirm the request is wrong.",
    remedy:
      "Send the right password. Users without one sign in again with GitHub, then repeat the request within ten minutes.",
  },
  foreign_origin: {
    status: 403,
    title: "Foreign origin",
    when: "The request changes something, but came from another site's page or does not say where it came from; or it is for the explorer (`/explore`) or `/mcp`, from another site's page.",
    remedy:
      "Outside a browser, send the header `X-Requested-With` with any value. The service's own pages need nothing.",
  },
  email_not_verified: {
    status: 403,
    title: "Email not verified",
    when: "The user is signed in, but the email address is not verified yet.",
    remedy: "Open the link in the verification email, or request another one.",
  },
  account_suspended: {
    status: 403,
    title: "Account suspended",
    when: "The API key or the session is valid, but its account is suspended.",
    remedy: "Contact the operator of this service.",
  },
  files_not_in_plan: {
    status: 403,
    title: "Files not in plan",
    when: "The plan of the key's account has no right to download the files of `/v1/files`.",
    remedy:
      "Use `/v1/providers/export`, or ask the operator for a plan with files.",
  },
  not_found: {
    status: 404,
    title: "Path not found",
    when: "There is nothing at this path. Paths are case-sensitive and have no trailing slash.",
    remedy: "Compare the path with those listed at `/docs`.",
  },
  key_not_found: {
    status: 404,
    title: "Key not found",
    when: "The account has no API key with this id.",
    remedy: "List the account's keys and use the `id` of one of them.",
  },
  provider_not_found: {
    status: 404,
    title: "Provider not found",
    when: "The NPI is valid, but the registry has no record of it. This response counts against the monthly quota.",
    remedy: "A new NPI appears after the next weekly update.",
  },
  taxonomy_not_found: {
    status: 404,
    title: "Taxonomy not found",
    when: "Neither the loaded NUCC table nor any provider has the code. This response counts against the monthly quota.",
    remedy:
      "Check the code for a typo, or search for its name with `GET /v1/taxonomies`.",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    when: "The path does not accept this method. API paths accept only GET, HEAD, and OPTIONS.",
    remedy: "Use a method listed in `Allow`.",
  },
  already_subscribed: {
    status: 409,
    title: "Already subscribed",
    when: "The account already has an active subscription.",
    remedy: "Change or cancel the subscription in the customer portal.",
  },
  not_subscribed: {
    status: 409,
    title: "Not subscribed",
    when: "The account has never subscribed to a plan.",
    remedy: "Choose a plan first.",
  },
  payments_not_ended: {
    status: 409,
    title: "Payments not ended",
    when: "The account to delete is a customer at Stripe, but Stripe is no longer configured, so the service cannot end the payments. The account was not deleted.",
    remedy: "Ask the operator to delete the account and end its payments.",
  },
  key_ended: {
    status: 409,
    title: "Key already ended",
    when: "The key to rotate or revoke was already revoked or has expired.",
    remedy: "No action is needed. Create a new key if you need one.",
  },
  too_many_keys: {
    status: 409,
    title: "Too many keys",
    when: "The account has ten active API keys, the maximum. A rotated key counts until its overlap ends.",
    remedy: "Revoke a key first.",
  },
  cursor_gone: {
    status: 410,
    title: "Cursor gone",
    when: "The cursor points to a part of the change list that no longer exists: it is older than the changes kept, an import it includes was rolled back, or all data was replaced.",
    remedy:
      "Continue from the newest older cursor that still works, and look up again every NPI listed after it. Without such a cursor, take a new copy of the data.",
  },
  snapshot_gone: {
    status: 412,
    title: "Snapshot gone",
    when: "The request names a snapshot (`snapshot`) that is no longer available or never existed: the data has been updated since, or an operator rolled it back.",
    remedy:
      "Start again from page 1, with the ID in the `Snapshot` header of a new response.",
  },
  body_too_large: {
    status: 413,
    title: "Body too large",
    when: "The body of a request to `/account` or `/auth` is larger than 16,384 bytes, or one to `/mcp` larger than 65,536 bytes.",
    remedy: "Send a smaller body.",
  },
  uri_too_long: {
    status: 414,
    title: "URI too long",
    when: "The request target (path and query) is longer than 8,192 bytes.",
    remedy: "Shorten the parameters.",
  },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    when: "The body of a request to `/account` or `/auth` is not declared as `application/json`.",
    remedy: "Send JSON with `Content-Type: application/json`.",
  },
  range_not_satisfiable: {
    status: 416,
    title: "Range not satisfiable",
    when: "The `Range` header starts after the end of the file.",
    remedy: "Ask for a range within the size that `Content-Range` says.",
  },
  rate_limit_exceeded: {
    status: 429,
    title: "Rate limit exceeded",
    when: "The account sent more requests per second than its plan allows.",
    remedy:
      "Wait as long as `Retry-After` says, then send requests more slowly.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    when: "The client sent requests outside `/v1` too fast: to the explorer (`/explore`), to the registry's own API (`/api/`) without an API key, or to `/account`, which also limits each kind of change per hour. The message says which limit was reached.",
    remedy:
      "Wait as long as `Retry-After` says. Programs should use `/v1` with an API key.",
  },
  too_many_failures: {
    status: 429,
    title: "Too many failures",
    when: "The client's address sent 60 API keys within a minute that were never issued, or a password was tried too many times. Keys in use keep working from such an address.",
    remedy:
      "Wait as long as `Retry-After` says, then send the right key or password.",
  },
  too_many_at_once: {
    status: 429,
    title: "Too many at once",
    when: "The account is already reading as many exports, batches, or large responses of `/api/` as it may. Without an account, an address can download one file from the explorer at a time. Nothing was counted.",
    remedy:
      "Read your other responses to the end, then send the request again. If nothing else is running, send fewer NPIs at once.",
  },
  quota_exceeded: {
    status: 429,
    title: "Monthly quota exceeded",
    when: "The account has used its quota for this calendar month (UTC), or has fewer requests left than this one counts as; nothing was counted. Once the quota is used, even a request that would be a free 304 gets this error.",
    remedy:
      "Wait until next month, or switch to a larger plan. If some requests are left, send a smaller batch or export.",
  },
  headers_too_large: {
    status: 431,
    title: "Headers too large",
    when: "The request's header lines have more than 16,384 bytes in total.",
    remedy: "Send fewer or smaller headers, such as cookies.",
  },
  internal_error: {
    status: 500,
    title: "Internal error",
    when: "Something failed in the service.",
    remedy:
      "Try again later. If it persists, report the `request_id`, under which the service's log has the cause.",
  },
  details_unreadable: {
    status: 500,
    title: "Details unreadable",
    when: "The file with the data for `include` or `location_scope` is damaged or missing. Requests without them still get responses.",
    remedy:
      "Leave out `include` and `location_scope`. The operator can run `snapshots verify`, then roll back or import again.",
  },
  data_not_loaded: {
    status: 503,
    title: "Data not loaded",
    when: "No registry data has been imported yet, or it is still loading.",
    remedy: "Wait as long as `Retry-After` says, then try again.",
  },
  accounts_unavailable: {
    status: 503,
    title: "Accounts unavailable",
    when: "The accounts database is not responding, so the service cannot check the key or its quota. From `/readyz`: for so long (`DATABASE_GRACE`) that it can accept no key.",
    remedy:
      "Wait as long as `Retry-After` says, then try again with the same key.",
  },
  snapshot_behind: {
    status: 503,
    title: "Snapshot behind",
    when: "The request names a snapshot (in `snapshot` or `cursor`) that this node does not serve yet, although other nodes may. From `/readyz`: the fleet serves a newer snapshot that this node has not downloaded yet.",
    remedy:
      "Wait as long as `Retry-After` says, then send the same request again.",
  },
  files_not_ready: {
    status: 503,
    title: "Files not ready",
    when: "The files of this snapshot are being made, which takes minutes after an import, or could not be made.",
    remedy:
      "Wait as long as `Retry-After` says, then send the same request again.",
  },
  service_busy: {
    status: 503,
    title: "Service busy",
    when: "The service is already running as many exports, or sending as many large responses, as it can; or more requests arrive than it can handle, and this one waited for ten seconds. Nothing was counted.",
    remedy:
      "Wait as long as `Retry-After` says, then send the same request again.",
  },
  shutting_down: {
    status: 503,
    title: "Shutting down",
    when: "The process is stopping. Only `/readyz` gives this error, for load balancers. Other requests get responses until the process exits.",
    remedy: "Send requests to another node, or wait for the restart.",
  },
  billing_unavailable: {
    status: 503,
    title: "Billing unavailable",
    when: "Stripe or the accounts database is not responding. Nothing was bought or changed.",
    remedy: "Wait as long as `Retry-After` says, then try again.",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** The codes, ordered by status. */
export const ERROR_CODES: readonly ErrorCode[] =
  Object.keys(ERRORS).filter(isErrorCode);

function isErrorCode(name: string): name is ErrorCode {
  return Object.hasOwn(ERRORS, name);
}

/** The errors that come from the data: they count against the quota, and may be cached. */
export const DATA_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "provider_not_found",
  "taxonomy_not_found",
]);

/** Codes that only `/account`, `/explore`, `/auth` and `/billing` use, so not clients of the API. */
const PORTAL_CODES = [
  "invalid_body",
  "invalid_signature",
  "not_signed_in",
  "sign_in_required",
  "explorer_closed",
  "rate_limited",
  "foreign_origin",
  "already_subscribed",
  "not_subscribed",
  "payments_not_ended",
  "billing_unavailable",
  "wrong_password",
  "email_not_verified",
  "key_not_found",
  "key_ended",
  "too_many_keys",
  "body_too_large",
  "unsupported_media_type",
] as const satisfies readonly ErrorCode[];

/** The codes in the OpenAPI document. */
export type ApiErrorCode = Exclude<ErrorCode, (typeof PORTAL_CODES)[number]>;

/** The same, ordered by status. */
export const API_ERROR_CODES: readonly ApiErrorCode[] =
  ERROR_CODES.filter(isApiErrorCode);

function isApiErrorCode(code: ErrorCode): code is ApiErrorCode {
  return !PORTAL_CODES.some((each) => each === code);
}
