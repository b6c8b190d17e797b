import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Requests that run when a snapshot is replaced end within this time, and with them the last use of the old one. */
const LAST_USE_MS = 1_000;

/**
 * Lets go of a snapshot that was replaced. The collector of a thread does not see how large the shared memory is that its
 * few objects hold, and would leave it for hours; so each thread that held one asks for a collection soon after.
 */
export function releaseOldSnapshot(): void {
  setTimeout(collectGarbage, LAST_USE_MS).unref();
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}
