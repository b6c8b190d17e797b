import type { FastifyReply, FastifyRequest } from "fastify";
import { names, weightOf } from "./accept.ts";
import type { AnswerCounts } from "./answer-counts.ts";
import { ERRORS } from "../../contract/errors.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import { JSON_TYPE } from "./headers.ts";
import type { ServiceSettings } from "../../settings/service-settings.ts";

/** An expected refusal, before it is written as an answer. */
export interface Failure {
  readonly code: ErrorCode;
  /** A sentence or two for people; states the limit that was crossed. */
  readonly message: string;
  /** Every bad parameter of the request, the first bad one first. */
  readonly details?: readonly FailureDetail[];
  /** `Retry-After`, `Allow` or `WWW-Authenticate`, where the code calls for it. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What went wrong in the service; for the log, never in the answer. */
  readonly cause?: { readonly err: unknown; readonly message: string };
}

export interface FailureDetail {
  readonly param: string;
  readonly code: ErrorCode;
  readonly message: string;
}

/** Where the service is reached: by clients at `publicUrl`. */
export interface ServiceAddress {
  readonly settings: Pick<ServiceSettings, "publicUrl">;
  /** From this machine, once the service listens; without a trailing slash. */
  readonly localUrl: () => string;
}

/** Writes a failure as the answer to a request. */
export type Refuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure,
) => FastifyReply;

/** The path to which every error leads; a code is an anchor there. */
export const ERRORS_PATH = "/docs/errors";

const JSON_MEDIA = "application/json";
const PROBLEM_MEDIA = "application/problem+json";
const PROBLEM_TYPE = `${PROBLEM_MEDIA}; charset=utf-8`;
/** Nothing but an address and a port, so that a forged Host cannot put anything else into an answer. */
const HOST = /^[A-Za-z0-9._:[\]-]{1,255}$/;

/**
 * Makes the function that answers failures, with links below the public address or, without one, below the request's own
 * host. Each is counted in `counts`.
 */
export function refuseWith(
  address: ServiceAddress,
  counts: AnswerCounts | null = null,
): Refuse {
  return function refuse(request, reply, failure) {
    counts?.noteFailure(failure.code);
    const base =
      address.settings.publicUrl ?? ownHost(request) ?? address.localUrl();
    const problem = prefersProblem(request.headers.accept);
    reply.code(ERRORS[failure.code].status);
    // Errors are never stored, but for the one that is taken from the data, which may be stored like its neighbours.
    reply.header(
      "cache-control",
      failure.code === "provider_not_found" ? "private" : "no-store",
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

/** The answer where there is nothing. */
export function notFound(): Failure {
  return {
    code: "not_found",
    message: "Nothing is at this path. See /docs for the available paths.",
  };
}

/** The answer to what fails unexpectedly; the cause is logged. */
export function internalError(): Failure {
  return {
    code: "internal_error",
    message: "Something failed in the service. Try again later.",
  };
}

/** The service's own error body, as JSON text. */
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

/** The same facts as RFC 9457 has them, as JSON text. */
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

/** Whether `Accept` names `application/problem+json`, and not as second choice behind `application/json`. */
export function prefersProblem(accept: string | undefined): boolean {
  if (!names(accept, PROBLEM_MEDIA)) return false;
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

/** The service as this client reached it. A proxy that ends TLS says so in X-Forwarded-Proto; only a link depends on it. */
function ownHost(request: FastifyRequest): string | null {
  const host = request.headers.host;
  if (host === undefined || !HOST.test(host)) return null;
  return `${request.headers["x-forwarded-proto"] === "https" ? "https" : "http"}://${host}`;
}
