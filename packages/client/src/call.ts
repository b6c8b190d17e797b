import type { RateLimit } from "./rate-limit.ts";

/** Options of a single call. */
export interface CallOptions {
  /** Ends the call: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** In place of the client's. */
  readonly timeoutMs?: number | undefined;
  /** In place of the client's. */
  readonly maxRetries?: number | undefined;
}

/** A result with its response, rate limit, and request id. */
export interface Received<T> {
  readonly data: T;
  /** Its body is already read, or is read as `data`. */
  readonly response: Response;
  readonly rateLimit: RateLimit | null;
  readonly requestId: string | null;
  /** The ID of the snapshot that the result is from; null if it is not from the data. */
  readonly snapshot: string | null;
}

/** A promise of a result, which also gives the response. */
export interface Call<T> extends Promise<T> {
  /** Returns the result with its response, limits, and request id. */
  withResponse(): Promise<Received<T>>;
}

/** Makes a call of a response to come. */
export function callOf<T>(received: Promise<Received<T>>): Call<T> {
  const data = received.then((each) => each.data);
  return Object.assign(data, {
    withResponse() {
      // Who takes the response isn't also told by the bare promise.
      data.catch(() => undefined);
      return received;
    },
  });
}
