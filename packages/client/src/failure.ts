import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  CursorGoneError,
  NotFoundError,
  PermissionError,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  SnapshotGoneError,
  UnavailableError,
  UnexpectedResponseError,
  type DirectoryError,
  type ErrorDetail,
} from "./errors.ts";
import { rateLimitOf, retryAfterOf } from "./rate-limit.ts";
import { textOf } from "./chunks.ts";

const BY_CODE = new Map<string | null, typeof ApiError>([
  ["snapshot_gone", SnapshotGoneError],
  ["cursor_gone", CursorGoneError],
  ["quota_exceeded", QuotaExceededError],
]);
const BY_STATUS = new Map<number, typeof ApiError>([
  [400, BadRequestError],
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [429, RateLimitError],
  [503, UnavailableError],
]);

/** Makes the error of a response that is not a success. */
export async function failureOf(response: Response): Promise<DirectoryError> {
  const { headers, status, type } = response;
  if (type === "opaqueredirect" || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    return new UnexpectedResponseError(
      `The response is a redirect${originIn(headers)}, which is not followed, so that the API key goes nowhere else. Give the client the address that the service has as its baseUrl.`,
    );
  }
  const {
    code = null,
    details = [],
    doc_url: docUrl = null,
    message = `The response has status ${status}, and is not one of the service's.`,
    param = null,
  } = errorIn(await textOf(response));
  const Fitting =
    BY_CODE.get(code) ??
    BY_STATUS.get(status) ??
    (status < 500 ? ApiError : ServerError);
  return new Fitting({
    message,
    status,
    code,
    param,
    details,
    docUrl,
    requestId: headers.get("x-request-id"),
    rateLimit: rateLimitOf(headers),
    retryAfter: retryAfterOf(headers),
  });
}

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly param?: string;
  readonly details?: readonly ErrorDetail[];
  readonly doc_url?: string;
}

/** Reads the error in a body; nothing if it is not one of the service's. */
function errorIn(text: string): Partial<ErrorBody> {
  try {
    const { error } = JSON.parse(text);
    return typeof error.code === "string" ? error : {};
  } catch {
    return {};
  }
}

/** Names where a redirect leads: only its origin, because the rest can have anything. */
function originIn(headers: Headers): string {
  const location = headers.get("location") ?? "";
  return URL.canParse(location) ? ` to ${new URL(location).origin}` : "";
}
