/** What asking a server needs, for tests: short limits of time, and waits that are written down in place of being waited. */

import type { RequestContext } from "../../src/update/http/request.ts";
import { HttpClient } from "../../src/update/http/http-client.ts";

const LIMITS = { answerTimeoutMs: 300, stallTimeoutMs: 300 };
/** 2026-11-21, 12:00 UTC. */
export const NOW_MS = Date.UTC(2026, 10, 21, 12);

export interface TestContext extends RequestContext, Disposable {
  readonly waits: number[];
  stop: (reason: Error) => void;
}

export function testAsking({
  proxy = {},
  retries = 3,
}: { proxy?: Record<string, string>; retries?: number } = {}): TestContext {
  const waits: number[] = [];
  const stopped = new AbortController();
  const client = new HttpClient({ proxy, ...LIMITS });
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
