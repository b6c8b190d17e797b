/** Work at a steady pace during a test, until `end` is called. */

import { setTimeout as sleep } from "node:timers/promises";

/**
 * Does something every `everyMs` milliseconds; `end` resolves when the last of it is done, and rejects if any failed.
 */
export function atPace(
  everyMs: number,
  work: () => Promise<void>,
): { end(): Promise<void> } & AsyncDisposable {
  const stopping = new AbortController();
  const running = repeat();

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      await work();
      await sleep(everyMs);
    }
  }

  async function end(): Promise<void> {
    stopping.abort();
    await running;
  }
  return { end, [Symbol.asyncDispose]: end };
}
