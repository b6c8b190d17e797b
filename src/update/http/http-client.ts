import * as http from "node:http";
import * as https from "node:https";
import { mayFollow, redactedUrl } from "./source.ts";
import { UpdateError } from "../update-error.ts";

const MAX_REDIRECTS = 5;
/** Some servers reject other user agents. */
const USER_AGENT = "Mozilla/5.0 (compatible; provider-directory-service)";

export interface HttpClientOptions {
  /** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` from the environment, in either case. */
  proxy: http.ProxyEnv;
  /** Time limit to connect and start the response. */
  responseTimeoutMs?: number;
  /** Time limit for each `minBytes` of the response. */
  stallTimeoutMs?: number;
  /** A response with fewer bytes within `stallTimeoutMs` is too slow, unless it ends. */
  minBytes?: number;
}

/** Half a megabyte a minute: a full file may take a day and a half. */
const LIMITS = {
  responseTimeoutMs: 30_000,
  stallTimeoutMs: 60_000,
  minBytes: 1 << 19,
};

/** A response. Close it unless the body was read to the end. */
export interface HttpResponse {
  /** The final URL, after redirects. */
  url: URL;
  status: number;
  headers: http.IncomingHttpHeaders;
  /** The raw body. Fails with the connection, or if it stalls. */
  body: AsyncIterable<Uint8Array>;
  close(): void;
}

/** The server did not respond or continue in time. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

/** GET requests with proxies, redirects and time limits. */
export class HttpClient implements Disposable {
  readonly #options: Required<HttpClientOptions>;
  readonly #http: http.Agent;
  readonly #https: https.Agent;

  constructor(options: HttpClientOptions) {
    this.#options = { ...LIMITS, ...options };
    this.#http = new http.Agent({ proxyEnv: options.proxy });
    this.#https = new https.Agent({ proxyEnv: options.proxy });
  }

  /**
   * Requests a URL and follows redirects. Resolves with any other response, whatever its status. Throws UpdateError for
   * bad redirects, the signal's reason, and network errors.
   */
  async get(
    from: URL,
    headers: http.OutgoingHttpHeaders,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    let url = from;
    for (let step = 0; step <= MAX_REDIRECTS; step++) {
      const answer = await this.#ask(url, headers, signal);
      const next = redirectOf(answer, url);
      if (next === null)
        return {
          url,
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: this.#body(answer, signal),
          close: () => void answer.destroy(),
        };
      answer.destroy();
      url = next;
    }
    throw new UpdateError(
      `${redactedUrl(from)} redirects more than ${MAX_REDIRECTS} times. Check the URL, or choose another source.`,
    );
  }

  #ask(
    url: URL,
    headers: http.OutgoingHttpHeaders,
    signal: AbortSignal,
  ): Promise<http.IncomingMessage> {
    const isSecure = url.protocol === "https:";
    const options = {
      agent: isSecure ? this.#https : this.#http,
      headers: {
        "user-agent": USER_AGENT,
        accept: "*/*",
        "accept-encoding": "identity",
        ...headers,
      },
      signal,
    };
    return new Promise((resolve, reject) => {
      const request = (isSecure ? https : http).get(url, options);
      const timer = setTimeout(
        () => request.destroy(new TimeoutError("no response in time")),
        this.#options.responseTimeoutMs,
      );
      request.on("response", (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      request.on("error", (error) => {
        clearTimeout(timer);
        reject(signal.aborted ? reasonOf(signal) : error);
      });
    });
  }

  async *#body(
    answer: http.IncomingMessage,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { minBytes, stallTimeoutMs } = this.#options;
    const chunks: AsyncIterator<unknown> = answer[Symbol.asyncIterator]();
    // Bytes since the last full `minBytes`, and the time spent waiting for them.
    let bytes = 0;
    let waitedMs = 0;
    try {
      for (;;) {
        // Only while waiting for the server; processing a chunk may take longer.
        const from = performance.now();
        const what = bytes === 0 ? "the response stalled" : "too few bytes";
        const timer = setTimeout(
          () => answer.destroy(new TimeoutError(what)),
          stallTimeoutMs - waitedMs,
        );
        const { done, value } = await chunks
          .next()
          .finally(() => clearTimeout(timer));
        if (done === true) return;
        if (!(value instanceof Uint8Array))
          throw new TypeError("HTTP hands out bytes");
        bytes += value.length;
        waitedMs += performance.now() - from;
        if (bytes >= minBytes) bytes = waitedMs = 0;
        yield value;
      }
    } catch (error) {
      throw signal.aborted ? reasonOf(signal) : error;
    } finally {
      answer.destroy();
    }
  }

  [Symbol.dispose](): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

function redirectOf(answer: http.IncomingMessage, from: URL): URL | null {
  const { location } = answer.headers;
  const isRedirect = [301, 302, 303, 307, 308].includes(answer.statusCode ?? 0);
  if (!isRedirect || location === undefined) return null;
  const to = URL.canParse(location, from.href)
    ? new URL(location, from.href)
    : null;
  if (to !== null && mayFollow(from, to)) return to;
  answer.destroy();
  throw new UpdateError(
    `${redactedUrl(from)} redirects to ${to === null ? "an invalid URL" : redactedUrl(to)}. Only redirects to https are followed, and to http from an http URL. Check the URL, or choose another source.`,
  );
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error
    ? signal.reason
    : new Error(String(signal.reason));
}
