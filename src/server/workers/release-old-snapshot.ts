import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Requests that run during a swap end within this time, and with them the last use of the old snapshot. */
const LAST_USE_MS = 1_000;

/**
 * Frees a replaced snapshot. A thread's garbage collector does not see the size of the shared memory behind a few
 * objects and could keep it for hours, so each thread forces a collection soon after a swap. Resolves after it.
 */
export async function releaseOldSnapshot(): Promise<void> {
  await sleep(LAST_USE_MS, undefined, { ref: false });
  collectGarbage();
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}
