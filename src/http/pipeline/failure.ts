import { DATA_ERRORS } from "../../contract/errors/errors.ts";
import type { ErrorCode } from "../../contract/errors/errors.ts";
import { prefixOf } from "../../text/public-path.ts";

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

/** A failure on its way to where its response is made. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** True if a step failed. */
export function isFailure(outcome: unknown): outcome is Failure {
  return typeof outcome === "object" && outcome !== null && "code" in outcome;
}

/** Returns the outcome of a step. Throws a `Refusal` if it failed. */
export function must<Outcome>(outcome: Outcome | Failure): Outcome {
  if (isFailure(outcome)) throw new Refusal(outcome);
  return outcome;
}

/** True if a failure comes from the data and counts like a result: an unknown NPI or taxonomy. */
export function isCounted({ code }: Failure): boolean {
  return DATA_ERRORS.has(code);
}

/** Adds a header to a failure. */
export function withHeader(
  failure: Failure,
  name: string,
  value: string,
): Failure {
  return { ...failure, headers: { ...failure.headers, [name]: value } };
}

/** Makes a failure of a request that may succeed later. `instead` is what else the client can do. */
export function tryAgain(
  code: ErrorCode,
  reason: string,
  retryAfterSeconds: number,
  instead = "",
): Failure {
  return {
    code,
    message: `${reason} Try again in ${retryAfterSeconds} s${instead}.`,
    headers: { "retry-after": String(retryAfterSeconds) },
  };
}

/** The methods of paths that other sites' scripts may call. */
export const OPEN_METHODS = "GET, HEAD, OPTIONS";

/** Makes the failure for a method that a path does not accept; `allowed` lists those it accepts. */
export function methodNotAllowed(
  method: string,
  allowed = OPEN_METHODS,
): Failure {
  return {
    code: "method_not_allowed",
    message: `This path does not accept ${method}. Use ${allowed}.`,
    headers: { allow: allowed },
  };
}

/** Makes the failure for an unknown path. */
export function notFound(): Failure {
  return {
    code: "not_found",
    message:
      "There is nothing at this path. See /docs for the available paths.",
  };
}

/**
 * Makes the failure for a path that starts with the path of the public URL, as if a proxy had not removed it; null for
 * any other path.
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

/** Makes the failure for unexpected errors; the cause is logged. */
export function internalError(): Failure {
  return {
    code: "internal_error",
    message: "Something failed in the service. Try again later.",
  };
}
