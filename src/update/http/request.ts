import type { OutgoingHttpHeaders } from "node:http";
import {
  retry,
  retryAfterMs,
  RetryableError,
  type RetryPolicy,
} from "./retry.ts";
import { shownUrl } from "./source.ts";
import { UpdateError } from "../update-error.ts";
import {
  TooSlowError,
  type HttpResponse,
  type HttpClient,
} from "./http-client.ts";

/** Everything that asking a server needs. */
export interface RequestContext {
  client: HttpClient;
  retryPolicy: RetryPolicy;
  signal: AbortSignal;
}

/** Faults of the network that pass. */
const PASSING_CODES = new Set([
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
const PASSING_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

const REFUSALS: Readonly<Record<number, string>> = {
  401: "asks for a name and a password: give them in the address, or name another source",
  403: "may not be read by this machine (403): check whether a browser may, or name another source",
  404: "does not exist (404): check the address; a file that the page names may not be there yet, then run it again later",
  407: "is behind a proxy that asks for a name and a password: give them in HTTPS_PROXY",
  410: "is gone (410): check the address, or name another source",
};

/** Asks once. `use` reads the answer, which is a good one (2xx); a fault that may pass becomes a RetryableError. */
export async function request<T>(
  { retryPolicy, signal, client }: RequestContext,
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
        throw refusal(url, answer, retryPolicy.now());
      return await use(answer);
    } finally {
      answer.close();
    }
  } catch (error) {
    throw explained(url, error);
  }
}

/** Asks until there is a good answer, and it could be read. */
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

function refusal(
  url: URL,
  { headers, status }: HttpResponse,
  nowMs: number,
): Error {
  if (PASSING_STATUSES.has(status))
    return new RetryableError(
      `The server of ${shownUrl(url)} answered with an error (${status})`,
      { waitMs: retryAfterMs(headers["retry-after"], nowMs) },
    );
  return new UpdateError(
    `${shownUrl(url)} ${REFUSALS[status] ?? `was answered with status ${status}: check the address, or name another source`}.`,
  );
}

/** An error of the network as one that says what to do; any other as it is. */
function explained(url: URL, error: unknown): unknown {
  if (error instanceof TooSlowError)
    return new RetryableError(
      `The server of ${shownUrl(url)} was too slow (${error.message})`,
      { cause: error },
    );
  if (!(error instanceof Error) || !("code" in error)) return error;
  const code = String(error.code);
  if (PASSING_CODES.has(code))
    return new RetryableError(
      `The connection to ${shownUrl(url)} failed (${code})`,
      { cause: error },
    );
  if (code === "ENOTFOUND")
    return new UpdateError(
      `${url.hostname} is not known: check the address and the network; behind a proxy set HTTPS_PROXY.`,
      { cause: error },
    );
  if (/CERT|TLS|SSL|SIGNATURE/.test(code))
    return new UpdateError(
      `${url.hostname} cannot prove who it is (${code}): check the address and the machine's clock; behind a proxy with certificates of its own set NODE_EXTRA_CA_CERTS.`,
      { cause: error },
    );
  if (code === "EPROTO" || /^(?:HPE_|ERR_PROXY)/.test(code))
    return new UpdateError(
      `${shownUrl(url)} was not answered as HTTP has it (${code}): check the address and the proxy.`,
      { cause: error },
    );
  return error;
}
