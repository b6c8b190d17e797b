/** What requests to a server need, for tests: waits are recorded instead of waited. */

import type { RequestContext } from "../../src/update/http/request.ts";
import { HttpClient } from "../../src/update/http/http-client.ts";

/** 2026-11-21, 12:00 UTC. */
export const NOW_MS = Date.UTC(2026, 10, 21, 12);

export interface TestContext extends RequestContext, Disposable {
  readonly waits: number[];
  stop: (reason: Error) => void;
}

/** `limitMs` is how long an answer, and each piece of it, may take: short only in tests of that limit. */
export function testRequestContext({
  limitMs = 60_000,
  proxy = {},
  retries = 3,
}: {
  limitMs?: number;
  proxy?: Record<string, string>;
  retries?: number;
} = {}): TestContext {
  const waits: number[] = [];
  const stopped = new AbortController();
  const client = new HttpClient({
    proxy,
    responseTimeoutMs: limitMs,
    stallTimeoutMs: limitMs,
  });
  return {
    client,
    waits,
    signal: stopped.signal,
    stop: (reason) => stopped.abort(reason),
    retryPolicy: {
      retries,
      random: () => 1,
      now: () => NOW_MS,
      sleep: async (ms) => void waits.push(ms),
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
}
