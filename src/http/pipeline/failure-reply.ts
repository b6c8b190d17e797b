import { ERRORS, type ErrorCode } from "../../contract/errors/errors.ts";
import type { ServiceSettings } from "../../settings/service-settings.ts";
import type { Call, Reply } from "../call.ts";
import { listsMediaType, weightOf } from "./accept.ts";
import { isCounted, type Failure, type FailureDetail } from "./failure.ts";
import { JSON_TYPE } from "./headers.ts";

/** The service's URLs: `publicUrl` for clients. */
export interface ServiceAddress {
  readonly settings: Pick<ServiceSettings, "publicUrl">;
  /** Returns the URL on this machine, once the service listens; without a trailing slash. */
  readonly localUrl: () => string;
}

/** The path of `doc_url`; the code is the anchor. */
export const ERRORS_PATH = "/docs/errors";

const JSON_MEDIA = "application/json";
const PROBLEM_MEDIA = "application/problem+json";
const PROBLEM_TYPE = `${PROBLEM_MEDIA}; charset=utf-8`;
/** Only a host and a port, so a forged Host cannot inject anything into an answer. */
const HOST = /^[A-Za-z0-9._:[\]-]{1,255}$/;

/** Makes the response to a failure. Links are below the public URL, or else below the request's host. */
export function failureReply(
  failure: Failure,
  call: Call,
  { localUrl, settings }: ServiceAddress,
): Reply {
  const base = baseOf(call, { localUrl, settings });
  const isProblem = prefersProblem(call.headers.accept);
  const body = isProblem ? problemBody : errorBody;
  return {
    status: ERRORS[failure.code].status,
    headers: [
      // Errors are not cached, except those that come from the data.
      "cache-control",
      isCounted(failure) ? "private" : "no-store",
      "vary",
      "Authorization, Accept, Accept-Encoding",
      "content-type",
      isProblem ? PROBLEM_TYPE : JSON_TYPE,
      ...Object.entries(failure.headers ?? {}).flat(),
    ],
    body: body(failure, base, call.id),
  };
}

/** Returns the service's URL for links, without a trailing slash. */
export function baseOf(
  call: Pick<Call, "headers">,
  { localUrl, settings }: ServiceAddress,
): string {
  return settings.publicUrl ?? hostAddressOf(call) ?? localUrl();
}

/** Writes the error body, as JSON text. */
export function errorBody(
  failure: Failure,
  base: string,
  requestId: string,
): string {
  const { code, message, details } = failure;
  const error = {
    code,
    message,
    status: ERRORS[code].status,
    ...facts(details),
    doc_url: docUrl(base, code),
  };
  return JSON.stringify({ error: { ...error, request_id: requestId } });
}

/** Writes the same facts in the format of RFC 9457, as JSON text. */
export function problemBody(
  failure: Failure,
  base: string,
  requestId: string,
): string {
  const { code, message, details } = failure;
  const { title, status } = ERRORS[code];
  const standard = {
    type: docUrl(base, code),
    title,
    status,
    detail: message,
    instance: requestId,
  };
  return JSON.stringify({ ...standard, code, ...facts(details) });
}

/** True if `Accept` lists `application/problem+json`, and not with a lower weight than `application/json`. */
export function prefersProblem(accept: string | undefined): boolean {
  if (!listsMediaType(accept, PROBLEM_MEDIA)) return false;
  const problem = weightOf(accept, PROBLEM_MEDIA);
  return problem > 0 && problem >= weightOf(accept, JSON_MEDIA);
}

function facts(details: readonly FailureDetail[] = []): object {
  const [first] = details;
  return first === undefined ? {} : { param: first.param, details };
}

function docUrl(base: string, code: ErrorCode): string {
  return `${base}${ERRORS_PATH}#${code}`;
}

/** Returns the service's URL as the client sees it. A TLS proxy sets X-Forwarded-Proto; only links depend on it. */
function hostAddressOf(request: Pick<Call, "headers">): string | null {
  const host = request.headers.host;
  if (host === undefined || !HOST.test(host)) return null;
  return `${request.headers["x-forwarded-proto"] === "https" ? "https" : "http"}://${host}`;
}
