import type { RateLimit } from "./rate-limit.ts";
import type { ErrorCode } from "./types.ts";

/** The base of all errors of this package, except what an `AbortSignal` gives as its reason. */
export class DirectoryError extends Error {
  constructor(message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A number that is not an NPI. No request was sent. */
export class InvalidNpiError extends DirectoryError {
  readonly npi: string;

  constructor(npi: string) {
    super(
      `${JSON.stringify(npi)} is not an NPI: it needs ten digits, of which the last is a check digit. No request was sent. To find the NPIs that may be meant, send it with providers.batch.`,
    );
    this.npi = npi;
  }
}

/** The service could not be reached, or the connection broke before the response was complete. */
export class ConnectionError extends DirectoryError {}

/** The service sent nothing for `timeoutMs`. */
export class TimeoutError extends DirectoryError {}

/** The response was cut: what was read until now is only a part of it. */
export class IncompleteError extends DirectoryError {}

/** A response that is not this service's: a redirect, or the page of a proxy. */
export class UnexpectedResponseError extends DirectoryError {}

/** A parameter at fault. */
export interface ErrorDetail {
  readonly param: string;
  readonly code: ErrorCode | (string & {});
  readonly message: string;
}

/** What the response says of an error. */
export type ErrorFacts = Omit<ApiError, "name" | "stack" | "cause">;

/** An error that the service sent. Its subclasses are named for the status. */
export class ApiError extends DirectoryError {
  declare readonly status: number;
  /** The service's code; null if something before it, such as a proxy, sent the error. */
  declare readonly code: ErrorCode | (string & {}) | null;
  /** The first parameter at fault; null if none is. */
  declare readonly param: string | null;
  /** All parameters at fault. */
  declare readonly details: readonly ErrorDetail[];
  /** Where the code is explained. */
  declare readonly docUrl: string | null;
  /** To be included in a report to the operator. */
  declare readonly requestId: string | null;
  declare readonly rateLimit: RateLimit | null;
  /** How many seconds to wait; null if the response does not say. */
  declare readonly retryAfter: number | null;

  constructor({ message, ...facts }: ErrorFacts) {
    super(message);
    Object.assign(this, facts);
  }
}

/** 400: a parameter is wrong; `details` lists all that are. */
export class BadRequestError extends ApiError {}

/** 401: the API key is missing, wrong, revoked, or expired. */
export class AuthenticationError extends ApiError {}

/** 403: the account may not do this. */
export class PermissionError extends ApiError {}

/** 404: the registry has no such provider or taxonomy, or the service no such path. */
export class NotFoundError extends ApiError {}

/** 410: a cursor of changes is no longer valid. */
export class CursorGoneError extends ApiError {}

/** 412, or 410 for files: the snapshot of the data is no longer available. */
export class SnapshotGoneError extends ApiError {
  constructor({ message, ...facts }: ErrorFacts) {
    const advice =
      "The data was replaced since this snapshot, so what you began cannot be continued: start it again, without the parameter snapshot. What you read until now is from the data before.";
    super({ ...facts, message: `${message} ${advice}` });
  }
}

/** 429: too many requests at once or per second. */
export class RateLimitError extends ApiError {}

/** 429: the month's quota is used, or too little of it is left for this request. Never retried. */
export class QuotaExceededError extends ApiError {}

/** 5xx: the service, or something between, failed. */
export class ServerError extends ApiError {}

/** 503: the service cannot respond at the moment. */
export class UnavailableError extends ServerError {}
