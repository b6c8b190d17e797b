/** Requests at a steady rate, each counted. */

import { setTimeout as sleep } from "node:timers/promises";
import type { BalancedClient } from "./balancer.ts";
import { failureIn } from "./failure.ts";

const PATHS = [
  "/v1/providers/search?state=CA&limit=5",
  "/v1/providers/search?name=smith",
  "/v1/providers/nearby?zip=60601&radius=50",
];

export interface SteadyLoad extends AsyncDisposable {
  /** How many were answered so far. */
  readonly answered: number;
  /** How many of them with 200. */
  readonly given: number;
  /** Stops, waits for the last answers, and returns how many requests failed in which way. */
  end(): Promise<Record<string, number>>;
}

/** Sends `perSecond` requests a second, whether others are answered or not, with one key after another. */
export function steadyLoad(
  client: BalancedClient,
  keys: readonly string[],
  perSecond: number,
): SteadyLoad {
  const stopping = new AbortController();
  const failures: Record<string, number> = {};
  const pending = new Set<Promise<void>>();
  let answered = 0;
  let given = 0;
  let sent = 0;
  const sending = (async () => {
    const beganMs = performance.now();
    while (!stopping.signal.aborted) {
      const due = Math.floor(
        ((performance.now() - beganMs) * perSecond) / 1_000,
      );
      for (; sent < due; sent++) {
        const asked = ask(sent).finally(() => pending.delete(asked));
        pending.add(asked);
      }
      await sleep(1_000 / perSecond);
    }
    await Promise.all(pending);
  })();

  async function ask(number: number): Promise<void> {
    const path = PATHS[number % PATHS.length] ?? "";
    const key = keys[number % keys.length];
    try {
      const { body, status } = await client.send(path, {
        authorization: `Bearer ${key}`,
      });
      answered++;
      if (status === 200) given++;
      else note(failureIn(status, body.toString()));
    } catch (error) {
      note(String(error));
    }
  }

  function note(failure: string): void {
    failures[failure] = (failures[failure] ?? 0) + 1;
  }

  return {
    get answered() {
      return answered;
    },
    get given() {
      return given;
    },
    async end() {
      stopping.abort();
      await sending;
      return failures;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await sending;
    },
  };
}
