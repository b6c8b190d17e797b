import type { OutgoingHttpHeaders } from "node:http";
import {
  retry,
  retryAfterMs,
  RetryableError,
  type RetryPolicy,
} from "./retry.ts";
import { redactedUrl } from "./source.ts";
import { UpdateError } from "../update-error.ts";
import {
  TimeoutError,
  type HttpResponse,
  type HttpClient,
} from "./http-client.ts";

/** The context of a request. */
export interface RequestContext {
  client: HttpClient;
  retryPolicy: RetryPolicy;
  signal: AbortSignal;
}

/** Temporary network errors. */
const TEMPORARY_CODES = new Set([
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
]);
const TEMPORARY_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

const REFUSALS: Readonly<Record<number, string>> = {
  401: "needs a user name and a password (401). Put them in the URL, or choose another source",
  403: "is forbidden to this machine (403). Check whether a browser can open it, or choose another source",
  404: "does not exist (404). Check the URL. If the page links to the file, it might not be published yet; try again later",
  407: "is behind a proxy that needs a user name and a password (407). Put them in HTTPS_PROXY",
  410: "is gone (410). Check the URL, or choose another source",
};

/** Sends one request. `use` reads the response (2xx). A temporary error becomes a RetryableError. */
export async function request<T>(
  {
    retryPolicy,
    signal,
    client,
  }: Omit<RequestContext, "retryPolicy"> & {
    retryPolicy: Pick<RetryPolicy, "now">;
  },
  url: URL,
  headers: OutgoingHttpHeaders,
  use: (answer: HttpResponse) => Promise<T>,
  usedStatuses: readonly number[] = [],
): Promise<T> {
  try {
    const answer = await client.get(url, headers, signal);
    try {
      const { status } = answer;
      if ((status < 200 || status > 299) && !usedStatuses.includes(status))
        throw statusError(url, answer, retryPolicy.now());
      return await use(answer);
    } finally {
      answer.close();
    }
  } catch (error) {
    throw describeNetworkError(url, error);
  }
}

/** Retries until a good response was read. */
export function requestWithRetry<T>(
  context: RequestContext,
  url: URL,
  headers: OutgoingHttpHeaders,
  use: (answer: HttpResponse) => Promise<T>,
): Promise<T> {
  return retry(
    () => request(context, url, headers, use),
    context.retryPolicy,
    context.signal,
  );
}

function statusError(
  url: URL,
  { headers, status }: HttpResponse,
  nowMs: number,
): Error {
  if (TEMPORARY_STATUSES.has(status))
    return new RetryableError(
      `The server of ${redactedUrl(url)} returned an error (${status})`,
      { waitMs: retryAfterMs(headers["retry-after"], nowMs) },
    );
  return new UpdateError(
    `${redactedUrl(url)} ${REFUSALS[status] ?? `returned status ${status}. Check the URL, or choose another source`}.`,
  );
}

/** Turns a network error into one that says what to do; returns any other unchanged. */
function describeNetworkError(url: URL, error: unknown): unknown {
  if (error instanceof TimeoutError)
    return new RetryableError(
      `The server of ${redactedUrl(url)} was too slow (${error.message})`,
      { cause: error },
    );
  if (!(error instanceof Error) || !("code" in error)) return error;
  const code = String(error.code);
  if (TEMPORARY_CODES.has(code))
    return new RetryableError(
      `The connection to ${redactedUrl(url)} failed (${code})`,
      { cause: error },
    );
  if (code === "ENOTFOUND")
    return new UpdateError(
      `Cannot resolve ${url.hostname}. Check the URL and the network; behind a proxy, set HTTPS_PROXY.`,
      { cause: error },
    );
  if (/CERT|TLS|SSL|SIGNATURE/.test(code))
    return new UpdateError(
      `The certificate of ${url.hostname} cannot be verified (${code}). Check the URL and the machine's clock; behind a proxy with its own certificates, set NODE_EXTRA_CA_CERTS.`,
      { cause: error },
    );
  if (code === "EPROTO" || /^(?:HPE_|ERR_PROXY)/.test(code))
    return new UpdateError(
      `${redactedUrl(url)} did not send a valid HTTP response (${code}). Check the URL and the proxy.`,
      { cause: error },
    );
  return error;
}
