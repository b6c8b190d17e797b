import type { CallOptions, Received } from "./call.ts";
import {
  ApiError,
  ConnectionError,
  UnexpectedResponseError,
} from "./errors.ts";
import { failureOf } from "./failure.ts";
import { rateLimitOf } from "./rate-limit.ts";
import { textOf } from "./chunks.ts";
import { Watch } from "./watch.ts";

/** Settings of a client. */
export interface ClientOptions {
  /** Where the service is, such as `https://directory.example`; it may have a path. */
  readonly baseUrl: string | URL;
  /** Without one, only `status` is open. */
  readonly apiKey?: string | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How many times a request is sent again if that is safe. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** How long a response may take, and a part of a stream, in milliseconds; 0 is forever. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
}

/** A request. */
export interface Request {
  /** Below the base URL, with a slash in front. */
  readonly path: string;
  readonly query?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isPublic?: boolean;
  /** True if it costs so much that it is sent again only if the service said that it counted nothing. */
  readonly isCostly?: boolean;
}

/** Reads a successful response. It ends the watch when it is done. */
export type Read<T> = (response: Response, watch: Watch) => T | Promise<T>;

const DEFAULT_RETRIES = 2;
const DEFAULT_TIMEOUT_MS = 60_000;
/** A longer wait is the caller's decision. */
const MAX_RETRY_AFTER_SECONDS = 30;
const BACKOFF_MS = 500;
/** The most digits after the point that a number can be written with. */
const MAX_DIGITS = 100;

/** Statuses for which a request may be sent again. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Codes with such a status that the same request only gets again. */
const LASTING: ReadonlySet<string> = new Set([
  "quota_exceeded",
  "too_many_failures",
]);

/** Sends requests with the key, and sends them again where that is safe. */
export class Transport {
  readonly #base: string;
  readonly #key: string | null;
  readonly #fetch: typeof globalThis.fetch;
  readonly #maxRetries: number;
  readonly #timeoutMs: number;

  constructor({
    apiKey,
    baseUrl,
    fetch: given,
    maxRetries = DEFAULT_RETRIES,
    timeoutMs = DEFAULT_TIMEOUT_MS,
  }: ClientOptions) {
    this.#base = checkedBase(baseUrl);
    this.#key = checkedKey(apiKey);
    this.#fetch = given ?? ((input, init) => globalThis.fetch(input, init));
    this.#maxRetries = maxRetries;
    this.#timeoutMs = timeoutMs;
  }

  /** Requests JSON, and reads it whole. */
  json<T>(request: Request, options?: CallOptions): Promise<Received<T>> {
    return this.send(request, options, async (response, watch) => {
      const text = await textOf(response);
      watch.end();
      return parsed(text);
    });
  }

  /** Requests an envelope, and returns its data. */
  async data<Envelope extends { readonly data: unknown }>(
    request: Request,
    options?: CallOptions,
  ): Promise<Received<Envelope["data"]>> {
    const received = await this.json<Envelope>(request, options);
    return { ...received, data: received.data.data };
  }

  /** Sends a request until it succeeds, fails for good, or was sent often enough. */
  async send<T>(
    request: Request,
    options: CallOptions = {},
    read: Read<T>,
  ): Promise<Received<T>> {
    const { maxRetries = this.#maxRetries, signal } = options;
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted();
      const watch = new Watch(options.timeoutMs ?? this.#timeoutMs, signal);
      try {
        return await this.#attempt(request, read, watch);
      } catch (error) {
        watch.cancel();
        const waitMs =
          attempt < maxRetries ? waitBefore(error, attempt, request) : null;
        if (waitMs === null) throw error;
        await pause(waitMs, signal);
      }
    }
  }

  async #attempt<T>(
    { headers, isPublic = false, path, query = {} }: Request,
    read: Read<T>,
    watch: Watch,
  ): Promise<Received<T>> {
    const key = isPublic ? null : this.#key;
    try {
      const response = await this.#fetch(
        `${this.#base}${path}${queryOf(query)}`,
        {
          headers: {
            accept: "application/json",
            ...headers,
            ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          },
          // A redirect is refused below: the key goes to no other place than the one it was given for.
          redirect: "manual",
          signal: watch.signal,
        },
      );
      if (!response.ok) throw await failureOf(response);
      const data = await read(response, watch);
      return {
        data,
        response,
        rateLimit: rateLimitOf(response.headers),
        requestId: response.headers.get("x-request-id"),
        snapshot: response.headers.get("snapshot"),
      };
    } catch (error) {
      throw watch.explain(error);
    }
  }
}

function checkedBase(url: string | URL): string {
  const text = String(url);
  const parts = URL.canParse(text) ? new URL(text) : null;
  if (
    parts === null ||
    !/^https?:$/.test(parts.protocol) ||
    parts.username + parts.password + parts.search + parts.hash !== ""
  )
    throw new TypeError(
      "baseUrl must be an absolute http or https URL without user, password, query, or fragment.",
    );
  return parts.href.replace(/\/+$/, "");
}

/** Refuses a key that a header cannot have: `fetch` would show it in its error. */
function checkedKey(key: string | undefined): string | null {
  const trimmed = key?.trim() ?? "";
  if (trimmed === "") return null;
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    throw new TypeError("apiKey has spaces or characters that no key has.");
  return trimmed;
}

type QueryValue =
  string | number | boolean | readonly string[] | null | undefined;

/** Writes a query, lists with commas. Values that are undefined, null, or an empty list are left out. */
function queryOf(query: object): string {
  const pairs = Object.entries(query)
    .map(([name, value]: [string, QueryValue]) => [name, plain(value ?? "")])
    .filter(([, text]) => text !== "");
  return pairs.length === 0 ? "" : `?${String(new URLSearchParams(pairs))}`;
}

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnexpectedResponseError(
      "The response is not JSON. Check that baseUrl is the address of the service.",
      { cause },
    );
  }
}

/** Returns how many milliseconds to wait before a request is sent again; null if it should not be. */
function waitBefore(
  error: unknown,
  attempt: number,
  { isCostly = false }: Request,
): number | null {
  const backoff = BACKOFF_MS * 2 ** attempt * (0.5 + Math.random() / 2);
  if (error instanceof ConnectionError) return isCostly ? null : backoff;
  if (!(error instanceof ApiError)) return null;
  const { code, retryAfter, status } = error;
  if (!PASSING.has(status) || LASTING.has(code ?? "")) return null;
  // Only the service itself knows that it counted nothing.
  if (isCostly && code === null) return null;
  if (retryAfter === null) return backoff;
  return retryAfter > MAX_RETRY_AFTER_SECONDS
    ? null
    : retryAfter * 1_000 + (Math.random() * BACKOFF_MS) / 2;
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Writes a value; a number without an exponent, which the API doesn't read. */
function plain(value: unknown): string {
  const text = String(value);
  const [digits = "", places] = text.split("e-");
  return typeof value === "number" && places !== undefined
    ? value.toFixed(Math.min(MAX_DIGITS, digits.length + Number(places)))
    : text;
}
