import type { ErrorAnswer } from "../../contract/error-answer.ts";
import type { ErrorCode } from "../../contract/errors.ts";

type ErrorBody = ErrorAnswer["error"];

/** An error as the service writes it, or sign-in, which has codes of its own and says less. */
export type ApiError = Readonly<
  Pick<ErrorBody, "message" | "status" | "param" | "details"> &
    Partial<Pick<ErrorBody, "request_id">>
> & {
  readonly code: ErrorCode | (string & {});
};

/** Why there is no answer, as pages show it. */
export type ApiFailure =
  /** The network, or the service, is not there. */
  | { readonly kind: "offline" }
  /** What came is no answer of this service. */
  | { readonly kind: "broken" }
  /** Nobody is signed in, or no longer. */
  | { readonly kind: "signed_out"; readonly error: ApiError }
  /** Too fast; `retryAfterSeconds` from now it goes on. */
  | {
      readonly kind: "rate_limited";
      readonly error: ApiError;
      readonly retryAfterSeconds: number;
    }
  /** The month of the keys, or of the explorer, is spent. */
  | {
      readonly kind: "quota_exhausted";
      readonly error: ApiError;
      readonly retryAfterSeconds: number;
    }
  | { readonly kind: "refused"; readonly error: ApiError };

/** A success: its data, and what comes with them. */
export interface ApiSuccess<T, M = unknown> {
  readonly data: T;
  readonly meta: M;
  /** From the explorer: where each entry is on a map, `[lat, lng]`. */
  readonly points: readonly (readonly [number, number] | null)[];
  readonly status: number;
  readonly headers: Headers;
}

export type ApiOutcome<T, M = unknown> =
  | { readonly ok: true; readonly answer: ApiSuccess<T, M> }
  | { readonly ok: false; readonly failure: ApiFailure };

export interface ApiRequestOptions {
  readonly method?: "GET" | "POST" | "DELETE";
  /** Sent as JSON. */
  readonly body?: unknown;
  /** An API key, for `/v1`. */
  readonly key?: string;
  readonly signal?: AbortSignal;
}

const SIGNED_OUT: ReadonlySet<string> = new Set([
  "not_signed_in",
  "sign_in_required",
  "UNAUTHORIZED",
]);

const MONTH_SPENT: ReadonlySet<string> = new Set([
  "quota_exceeded",
  "explorer_limit_reached",
]);

/** Told to the window when the service says that nobody is signed in. */
export const SIGNED_OUT_EVENT = "portal:signed-out";

/**
 * Asks the service. `T` and `M` are what the path is known to answer. Answers of sign-in, which have no envelope, are the
 * data. Rejects when the signal aborts, and for nothing else.
 */
export async function callApi<T, M = unknown>(
  path: string,
  { body, key, method = "GET", signal }: ApiRequestOptions = {},
): Promise<ApiOutcome<T, M>> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      method,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return { ok: false, failure: { kind: "offline" } };
  }
  try {
    const { headers, status } = response;
    return response.ok
      ? { ok: true, answer: { ...successIn(text), headers, status } }
      : { ok: false, failure: announceSignOut(failureIn(text, response)) };
  } catch {
    return { ok: false, failure: { kind: "broken" } };
  }
}

const NEXT_PAGE = /<([^>]+)>; rel="next"/;

/** Asks for a list of one's own and all pages behind it, as their `Link` leads; the rest is as the first page has it. */
export async function fetchAllPages<Row, M = unknown>(
  path: string,
  options: ApiRequestOptions = {},
): Promise<ApiOutcome<Row[], M>> {
  const first = await callApi<Row[], M>(path, options);
  if (!first.ok) return first;
  const rows = [...first.answer.data];
  let next = nextOf(first.answer);
  while (next !== null) {
    const page = await callApi<Row[], M>(next, options);
    if (!page.ok) return page;
    rows.push(...page.answer.data);
    next = page.answer.data.length === 0 ? null : nextOf(page.answer);
  }
  return { ok: true, answer: { ...first.answer, data: rows } };
}

function nextOf({ headers }: { readonly headers: Headers }): string | null {
  return NEXT_PAGE.exec(headers.get("link") ?? "")?.[1] ?? null;
}

/** What a body of JSON holds; throws for any other. */
function successIn<T, M>(
  text: string,
): Pick<ApiSuccess<T, M>, "data" | "meta" | "points"> {
  const body = JSON.parse(text === "" ? "null" : text);
  const isEnveloped =
    typeof body === "object" && body !== null && "data" in body;
  return isEnveloped
    ? { data: body.data, meta: body.meta, points: body.points ?? [] }
    : { data: body, meta: JSON.parse("{}"), points: [] };
}

function announceSignOut(failure: ApiFailure): ApiFailure {
  if (failure.kind === "signed_out") dispatchEvent(new Event(SIGNED_OUT_EVENT));
  return failure;
}

function failureIn(text: string, { headers, status }: Response): ApiFailure {
  const body = JSON.parse(text);
  const error: ApiError = { ...(body.error ?? body), status };
  if (typeof error.message !== "string") return { kind: "broken" };
  const retryAfterSeconds = Number(headers.get("retry-after") ?? 1);
  if (SIGNED_OUT.has(error.code)) return { kind: "signed_out", error };
  if (MONTH_SPENT.has(error.code))
    return { kind: "quota_exhausted", error, retryAfterSeconds };
  return status === 429
    ? { kind: "rate_limited", error, retryAfterSeconds }
    : { kind: "refused", error };
}
