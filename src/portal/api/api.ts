import type { Facet } from "../../contract/explorer/map.ts";
import type {
  ComparedTexts,
  ResultNotes,
  HistoryEntry,
} from "../../contract/explorer/notes.ts";
import type { LeftOut } from "../../contract/explorer/suggest.ts";
import type { ErrorAnswer } from "../../contract/errors/error-answer.ts";
import type { ErrorCode } from "../../contract/errors/errors.ts";
import { publicPath, servicePath } from "../public-path.ts";

type ErrorBody = ErrorAnswer["error"];

/** An error of the API, or of sign-in, which has its own codes and fewer fields. */
export type ApiError = Readonly<
  Pick<ErrorBody, "message" | "status" | "param" | "details"> &
    Partial<Pick<ErrorBody, "request_id">>
> & {
  readonly code: ErrorCode | (string & {});
};

/** The reason why a request failed, by what pages show. */
export type ApiFailure =
  /** The network or the service is down. */
  | { readonly kind: "offline" }
  /** The answer isn't one of this service's. */
  | { readonly kind: "broken" }
  /** No user is signed in, or no longer. */
  | { readonly kind: "signed_out"; readonly error: ApiError }
  /** Too many requests. */
  | {
      readonly kind: "rate_limited";
      readonly error: ApiError;
      readonly retryAfterSeconds: number;
    }
  /** The monthly limit of the API or the explorer is used up. */
  | {
      readonly kind: "quota_exhausted";
      readonly error: ApiError;
      readonly retryAfterSeconds: number;
    }
  | { readonly kind: "refused"; readonly error: ApiError };

/** A successful answer. */
export interface ApiSuccess<T, M = unknown> {
  readonly data: T;
  readonly meta: M;
  /** From the explorer: where each entry is on a map, `[lat, lng]`. */
  readonly points: readonly (readonly [number, number] | null)[];
  /** From the explorer: what to show with each entry. */
  readonly notes: readonly ResultNotes[];
  /** From a look-up of the explorer: what imports changed, newest first. */
  readonly history: readonly HistoryEntry[];
  /** From the explorer: how the texts of the request were compared. */
  readonly compared: ComparedTexts;
  /** From the explorer's map: ways to narrow the search. */
  readonly facets: readonly Facet[];
  /** From the explorer: what a search that finds no one can do without. */
  readonly without: readonly LeftOut[];
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
  /** True for what a link may not start: a header shows the service that a page sent it. */
  readonly isOfPage?: boolean;
  readonly signal?: AbortSignal;
}

const NOTHING_COMPARED: ComparedTexts = { aliases: [], specialty_words: [] };

/** Shows the service that a page sent a request, not a link. */
const OF_PAGE = { "x-requested-with": "portal" };

const SIGNED_OUT: ReadonlySet<string> = new Set([
  "not_signed_in",
  "sign_in_required",
  "UNAUTHORIZED",
]);

/** Dispatched on the window when the service answers that no user is signed in. */
export const SIGNED_OUT_EVENT = "portal:signed-out";

/**
 * Sends a request to the service. `T` and `M` are the types of the path's `data` and `meta`. Sign-in's answers have no
 * envelope: the whole body is the data. Rejects only if the signal aborts.
 */
export async function callApi<T, M = unknown>(
  path: string,
  {
    body,
    isOfPage = false,
    key,
    method = "GET",
    signal,
  }: ApiRequestOptions = {},
): Promise<ApiOutcome<T, M>> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(publicPath(path), {
      method,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(isOfPage ? OF_PAGE : {}),
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

/** A file, or why there is none. */
export type FileOutcome =
  | { readonly ok: true; readonly file: Blob; readonly name: string }
  | { readonly ok: false; readonly failure: ApiFailure };

const FILE_NAME = /filename="([^"]+)"/;

/** Requests a file, whole or not at all. Rejects only if the signal aborts. */
export async function fetchFile(
  path: string,
  signal: AbortSignal,
): Promise<FileOutcome> {
  try {
    const response = await fetch(publicPath(path), {
      headers: OF_PAGE,
      signal,
    });
    if (!response.ok)
      return { ok: false, failure: await fileFailure(response) };
    const disposition = response.headers.get("content-disposition") ?? "";
    const name = FILE_NAME.exec(disposition)?.[1] ?? "providers";
    return { ok: true, file: await response.blob(), name };
  } catch (error) {
    if (signal.aborted) throw error;
    return { ok: false, failure: { kind: "offline" } };
  }
}

async function fileFailure(response: Response): Promise<ApiFailure> {
  const text = await response.text();
  try {
    return announceSignOut(failureIn(text, response));
  } catch {
    return { kind: "broken" };
  }
}

const NEXT_PAGE = /<([^>]+)>; rel="next"/;

/** Requests a list and, following `Link`, all of its pages. Everything but the data is the first page's. */
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
  const [, next] = NEXT_PAGE.exec(headers.get("link") ?? "") ?? [];
  return next === undefined ? null : servicePath(next);
}

/** Parses a JSON body. Throws for any other. */
function successIn<T, M>(
  text: string,
): Omit<ApiSuccess<T, M>, "headers" | "status"> {
  const body = JSON.parse(text === "" ? "null" : text);
  const isEnveloped =
    typeof body === "object" && body !== null && "data" in body;
  const {
    data,
    meta = {},
    points = [],
    notes = [],
    history = [],
    compared = NOTHING_COMPARED,
    facets = [],
    without = [],
  } = isEnveloped ? body : { data: body };
  return { data, meta, points, notes, history, compared, facets, without };
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
  if (error.code === "quota_exceeded")
    return { kind: "quota_exhausted", error, retryAfterSeconds };
  return status === 429
    ? { kind: "rate_limited", error, retryAfterSeconds }
    : { kind: "refused", error };
}
