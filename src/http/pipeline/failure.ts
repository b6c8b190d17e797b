import type { FastifyReply, FastifyRequest } from "fastify";
import { listsMediaType, weightOf } from "./accept.ts";
import type { AnswerCounts } from "./answer-counts.ts";
import { DATA_ERRORS, ERRORS } from "../../contract/errors/errors.ts";
import type { ErrorCode } from "../../contract/errors/errors.ts";
import { JSON_TYPE } from "./headers.ts";
import { prefixOf } from "../../text/public-path.ts";
import type { ServiceSettings } from "../../settings/service-settings.ts";

/** An expected error, before it is written as an answer. */
export interface Failure {
  readonly code: ErrorCode;
  /** A sentence or two for the client's developer; states the limit. */
  readonly message: string;
  /** Every bad parameter, in order. */
  readonly details?: readonly FailureDetail[];
  /** `Retry-After`, `Allow` or `WWW-Authenticate`, depending on the code. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The internal cause, for the log only. */
  readonly cause?: { readonly err: unknown; readonly message: string };
}

export interface FailureDetail {
  readonly param: string;
  readonly code: ErrorCode;
  readonly message: string;
}

/** The service's URLs: `publicUrl` for clients. */
export interface ServiceAddress {
  readonly settings: Pick<ServiceSettings, "publicUrl">;
  /** The URL on this machine, once the service listens; without a trailing slash. */
  readonly localUrl: () => string;
}

export type Refuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure,
) => FastifyReply;

/** The path of `doc_url`; the code is the anchor. */
export const ERRORS_PATH = "/docs/errors";

const JSON_MEDIA = "application/json";
const PROBLEM_MEDIA = "application/problem+json";
const PROBLEM_TYPE = `${PROBLEM_MEDIA}; charset=utf-8`;
/** Only a host and a port, so a forged Host cannot inject anything into an answer. */
const HOST = /^[A-Za-z0-9._:[\]-]{1,255}$/;

/**
 * Makes the function that sends failures. Links are below the public URL, or else below the request's host. Each
 * failure is counted in `counts`.
 */
export function refuseWith(
  address: ServiceAddress,
  counts: AnswerCounts | null = null,
): Refuse {
  return function refuse(request, reply, failure) {
    counts?.noteFailure(failure.code);
    const base =
      address.settings.publicUrl ??
      hostAddressOf(request) ??
      address.localUrl();
    const problem = prefersProblem(request.headers.accept);
    reply.code(ERRORS[failure.code].status);
    // Errors are not cached, except those that come from the data.
    reply.header(
      "cache-control",
      DATA_ERRORS.has(failure.code) ? "private" : "no-store",
    );
    reply.header("vary", "Authorization, Accept, Accept-Encoding");
    if (failure.headers !== undefined) reply.headers(failure.headers);
    reply.type(problem ? PROBLEM_TYPE : JSON_TYPE);
    return reply.send(
      problem
        ? problemBody(failure, base, request.id)
        : errorBody(failure, base, request.id),
    );
  };
}

/** The failure for an unknown path. */
export function notFound(): Failure {
  return {
    code: "not_found",
    message:
      "There is nothing at this path. See /docs for the available paths.",
  };
}

/**
 * The failure for a path that starts with the path of the public URL, as if a proxy had not removed it; null for any
 * other path.
 */
export function notRemoved(
  url: string,
  publicUrl: string | null,
): Failure | null {
  const prefix = prefixOf(publicUrl);
  const [path] = url.split("?");
  return prefix === "" || !`${path}/`.startsWith(`${prefix}/`)
    ? null
    : {
        code: "not_found",
        message: `There is nothing at this path. The service is at ${publicUrl}, and its proxy must remove ${prefix} from paths: see "Below a path" in docs/deploying.md.`,
      };
}

/** The failure for unexpected errors; the cause is logged. */
export function internalError(): Failure {
  return {
    code: "internal_error",
    message: "Something failed in the service. Try again later.",
  };
}

/** The error body, as JSON text. */
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

/** The same facts in the format of RFC 9457, as JSON text. */
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

/** Whether `Accept` lists `application/problem+json`, and not with a lower weight than `application/json`. */
export function prefersProblem(accept: string | undefined): boolean {
  if (!listsMediaType(accept, PROBLEM_MEDIA)) return false;
  const problem = weightOf(accept, PROBLEM_MEDIA);
  return problem > 0 && problem >= weightOf(accept, JSON_MEDIA);
}

function facts(details: readonly FailureDetail[] | undefined): {
  param?: string;
  details?: readonly FailureDetail[];
} {
  const first = details?.[0];
  return first === undefined || details === undefined
    ? {}
    : { param: first.param, details };
}

function docUrl(base: string, code: ErrorCode): string {
  return `${base}${ERRORS_PATH}#${code}`;
}

/** The service's URL as the client sees it. A TLS proxy sets X-Forwarded-Proto; only links depend on it. */
function hostAddressOf(request: FastifyRequest): string | null {
  const host = request.headers.host;
  if (host === undefined || !HOST.test(host)) return null;
  return `${request.headers["x-forwarded-proto"] === "https" ? "https" : "http"}://${host}`;
}
