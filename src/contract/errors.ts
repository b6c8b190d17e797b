/** One row of the error table: what a client sees, and what `/docs/errors` and `docs/errors.md` say of it. */
export interface ErrorRow {
  readonly status: number;
  /** A few words; the `title` of RFC 9457. */
  readonly title: string;
  /** When it is answered. */
  readonly when: string;
  /** What a client can do about it. */
  readonly remedy: string;
}

/** Every code that the service can answer with. The documentation is held to this table by tests. */
export const ERRORS = {
  malformed_request: {
    status: 400,
    title: "Malformed request",
    when: "The request cannot be read as HTTP, or its address cannot be decoded: broken percent-encoding, bytes that are not UTF-8, a NUL, a `#`, no `Host` header, or anything else that the HTTP parser refuses. It is answered before the key is looked at.",
    remedy:
      "Build the address with a URL library that percent-encodes UTF-8, and send plain HTTP/1.1.",
  },
  invalid_npi: {
    status: 400,
    title: "Invalid NPI",
    when: "The NPI in the path is not 10 digits, or its last digit is not the check digit of the others (Luhn over `80840` and the number). The message says which. The data is not asked.",
    remedy:
      "Check the number for a typing error; a number that passes here may still be unknown (`provider_not_found`).",
  },
  invalid_parameter: {
    status: 400,
    title: "Invalid parameter",
    when: "A query parameter has an unknown name, is given more than once, has the wrong shape or type, is out of range, is longer than 100 characters, or is a text without any letter or digit. Unknown names are refused on look-ups too.",
    remedy:
      "Correct every parameter that `details` lists; each message states the limit.",
  },
  invalid_location: {
    status: 400,
    title: "Invalid location",
    when: "A nearby search has neither `zip` nor the pair `lat` and `lng`, has half a pair (also beside a `zip`), or has a well-formed ZIP code whose place is not known.",
    remedy:
      "Give a 5-digit ZIP code of a place in the United States, or both `lat` and `lng`.",
  },
  details_not_held: {
    status: 400,
    title: "Details not held",
    when: "`include` names a part, or a scope of `any` needs one, that this installation does not hold: its operator chose not to keep it, or the files that were imported do not offer it. The message says which. It is not counted.",
    remedy:
      "Leave the part, or the scope, out. An operator gets it by importing the registry's full zip, which brings other names and locations with it, with `--details all`.",
  },
  invalid_body: {
    status: 400,
    title: "Invalid body",
    when: "The body of a request under `/account` or `/billing` is not what the path asks for: unreadable, too long, of another type, or with a member too many or too few. The message says what it should be.",
    remedy: "Send the body that the message asks for, as `application/json`.",
  },
  invalid_signature: {
    status: 400,
    title: "Invalid signature",
    when: "An event at `/billing/webhook` is not signed with the endpoint's secret, or was signed more than five minutes ago. Nothing in it is looked at.",
    remedy:
      "Only Stripe sends events. If these are Stripe's, compare `STRIPE_WEBHOOK_SECRET` with the endpoint's, and the clock with the right time.",
  },
  missing_api_key: {
    status: 401,
    title: "Missing API key",
    when: "The request has no `Authorization` header with a bearer token: no header, another scheme, or `Bearer` without a key behind it.",
    remedy:
      "Send `Authorization: Bearer <API key>`. Keys are read from this header only, never from the address.",
  },
  invalid_api_key: {
    status: 401,
    title: "Invalid API key",
    when: "The bearer token is not a key of this service, or no longer one: mistyped, never issued, revoked, or past its end.",
    remedy: "Check that the whole key was copied, or create a new one.",
  },
  not_signed_in: {
    status: 401,
    title: "Not signed in",
    when: "The request to `/account` carries no session, or one that has ended. API keys do not open it.",
    remedy: "Sign in, and send the cookie that comes with it.",
  },
  sign_in_required: {
    status: 401,
    title: "Sign-in required",
    when: "The explorer of the portal (`/explore`) is open to those who are signed in, and the request carries no session of somebody with a confirmed address. API keys do not open it; they open `/v1`.",
    remedy: "Sign in at `/sign-in`, and send the cookie that comes with it.",
  },
  explorer_closed: {
    status: 403,
    title: "Explorer closed",
    when: "The explorer of the portal (`/explore`) is for people who are signed in, and this installation takes no sign-ups.",
    remedy:
      "Use `/v1` with an API key, or ask the operator to open the explorer (`EXPLORER=open`).",
  },
  wrong_password: {
    status: 403,
    title: "Wrong password",
    when: "The password that confirms a deletion is not the person's. Who signs in by GitHub alone has none, and is asked to sign in again instead.",
    remedy: "Send the right password, or sign in again just before.",
  },
  foreign_origin: {
    status: 403,
    title: "Foreign origin",
    when: "A request that would change something came from the page of another site, or does not say where it comes from; or one of the explorer (`/explore`) came from the page of another site. It is answered before the session is looked at.",
    remedy:
      "Outside a browser send the header `X-Requested-With` with any value; pages of the service itself need nothing.",
  },
  email_not_verified: {
    status: 403,
    title: "E-mail not verified",
    when: "The person is signed in, and the e-mail address is not confirmed yet.",
    remedy: "Follow the link in the mail, or ask for another one.",
  },
  account_suspended: {
    status: 403,
    title: "Account suspended",
    when: "The key is real, and its account is not allowed to ask at present.",
    remedy: "Ask whoever runs this service.",
  },
  not_found: {
    status: 404,
    title: "No such path",
    when: "There is nothing at this path. Paths are case-sensitive and take no trailing slash.",
    remedy: "Compare the path with the operations in `/docs`.",
  },
  key_not_found: {
    status: 404,
    title: "Key not found",
    when: "The account has no key of this id.",
    remedy: "List the keys, and use the `id` of one of them.",
  },
  provider_not_found: {
    status: 404,
    title: "Provider not found",
    when: "The NPI is well formed, and the registry does not hold it. This answer is taken from the data, so it counts against the monthly quota.",
    remedy:
      "Nothing is wrong with the request. A very new NPI appears with the next weekly update.",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    when: "The path exists, and does not take this method. Those of the registry take GET and HEAD only (OPTIONS for CORS); `Allow` lists what a path takes.",
    remedy: "Use a method that `Allow` lists.",
  },
  already_subscribed: {
    status: 409,
    title: "Already subscribed",
    when: "A subscription of the account runs, and a second one would be paid besides.",
    remedy: "Change or cancel it in the customer portal.",
  },
  not_subscribed: {
    status: 409,
    title: "Not subscribed",
    when: "The account never began to pay, so that it has nothing in the customer portal.",
    remedy: "Choose a plan first.",
  },
  payments_not_ended: {
    status: 409,
    title: "Payments not ended",
    when: "The account that is to be deleted has paid, or begun to, by Stripe, which this service is no longer configured for: it cannot end what may still be paid. The account stays.",
    remedy:
      "Ask whoever runs the service to delete the account and to end its payments.",
  },
  cursor_gone: {
    status: 410,
    title: "Cursor gone",
    when: "The cursor of a list of changes stands in a part of the list that is no longer there: it is older than what is kept, or what it followed was rolled back, or the data were replaced as a whole. It is not counted.",
    remedy:
      "Go on from the newest older cursor that is still good, and look up again every NPI that the list named behind it: after a rollback their records are the older ones again. Without such a cursor take a new copy of the data.",
  },
  key_ended: {
    status: 409,
    title: "Key has ended",
    when: "The key to be rotated or revoked was revoked before, or has reached its end.",
    remedy: "Nothing is to be done; create another key if you need one.",
  },
  too_many_keys: {
    status: 409,
    title: "Too many keys",
    when: "The account has as many active keys as are allowed: ten. A key in its overlap counts.",
    remedy: "Revoke one first.",
  },
  body_too_large: {
    status: 413,
    title: "Body too large",
    when: "The body of a request to `/account` or `/auth` has more than 16,384 bytes.",
    remedy: "Send less; nothing there needs as much.",
  },
  uri_too_long: {
    status: 414,
    title: "URI too long",
    when: "The request target has more than 8,192 bytes.",
    remedy: "Shorten the parameters; no valid request needs that many.",
  },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    when: "The body of a request to `/account` or `/auth` is not declared as `application/json`.",
    remedy: "Send JSON, with `Content-Type: application/json`.",
  },
  rate_limit_exceeded: {
    status: 429,
    title: "Rate limit exceeded",
    when: "The account asked faster than its plan's burst limit: a bucket of 10 requests on the free plan and 50 on the paid plan, refilled with as many each second.",
    remedy: "Wait for the seconds in `Retry-After`, then go on more slowly.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    when: "A client's address, or the account of who is signed in, asked the explorer (`/explore`) faster than it allows each: a bucket of three seconds' requests, refilled with `EXPLORER_BURST` (10) each second. Or the owner of an account asked `/account` faster than 20 times a second (60 at once), or did something more often than it allows in an hour. The message says which.",
    remedy:
      "Wait for the seconds in `Retry-After`. Programs use `/v1`, with a key.",
  },
  too_many_failures: {
    status: 429,
    title: "Too many failures",
    when: "The client's address has sent 60 keys within a minute that were never issued, or somebody has tried a password too often. Keys in use go on working from such an address; others are refused without being looked up.",
    remedy:
      "Wait for the seconds in `Retry-After`, and send the right key or password.",
  },
  quota_exceeded: {
    status: 429,
    title: "Monthly quota exceeded",
    when: "The account's quota for this calendar month (UTC) is spent. It is answered to every request that passes the checks before it, also to one that would have been a free 304.",
    remedy:
      "Wait for the seconds in `Retry-After`, which reach to the first of next month, or change to a larger plan.",
  },
  explorer_limit_reached: {
    status: 429,
    title: "Explorer limit reached",
    when: "The account has viewed as many pages of the explorer (`/explore`) in this calendar month (UTC) as its plan has. It is counted only where the explorer is open to those who are signed in, and apart from the quota of the account's keys.",
    remedy:
      "Wait for the seconds in `Retry-After`, which reach to the first of next month, or change to a larger plan.",
  },
  headers_too_large: {
    status: 431,
    title: "Headers too large",
    when: "The request's header lines have more than 16,384 bytes together.",
    remedy:
      "Send fewer or smaller headers; look for cookies that do not belong here.",
  },
  internal_error: {
    status: 500,
    title: "Internal error",
    when: "The service failed. The cause is in its own log, under the request id.",
    remedy: "Try again later, and report the `request_id` if it stays.",
  },
  details_unreadable: {
    status: 500,
    title: "Details unreadable",
    when: "The file that holds what `include` or `location_scope` asks for is damaged or gone. Records themselves are served. The cause is in the service's own log, under the request id.",
    remedy:
      "Ask without `include` and `location_scope`. An operator checks with `snapshots verify`, and goes back or imports again.",
  },
  data_not_loaded: {
    status: 503,
    title: "Data not loaded",
    when: "No registry data has been imported yet, or it is still being opened.",
    remedy: "Wait for the seconds in `Retry-After`, and try again.",
  },
  accounts_unavailable: {
    status: 503,
    title: "Accounts unavailable",
    when: "The database that holds the keys does not answer, and the key was not used here shortly before. It says nothing about the key: it may well be valid.",
    remedy:
      "Wait for the seconds in `Retry-After`, and try again with the same key.",
  },
  billing_unavailable: {
    status: 503,
    title: "Billing unavailable",
    when: "Stripe, or the database that notes who pays, does not answer. Nothing was bought or changed.",
    remedy: "Wait for the seconds in `Retry-After`, and try again.",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** The codes in the table's order: by status. */
export const ERROR_CODES: readonly ErrorCode[] =
  Object.keys(ERRORS).filter(isErrorCode);

function isErrorCode(name: string): name is ErrorCode {
  return Object.hasOwn(ERRORS, name);
}

/** The codes of the paths for people and for Stripe (`/account`, `/explore`, `/billing`), which clients of the API never meet. */
const PEOPLE_CODES = [
  "invalid_body",
  "invalid_signature",
  "not_signed_in",
  "sign_in_required",
  "explorer_closed",
  "rate_limited",
  "explorer_limit_reached",
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

/** The codes of the API, as the OpenAPI document has them. */
export type ApiErrorCode = Exclude<ErrorCode, (typeof PEOPLE_CODES)[number]>;

/** The same, in the table's order. */
export const API_ERROR_CODES: readonly ApiErrorCode[] =
  ERROR_CODES.filter(isApiErrorCode);

function isApiErrorCode(code: ErrorCode): code is ApiErrorCode {
  return !PEOPLE_CODES.some((each) => each === code);
}
