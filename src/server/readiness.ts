import type { Logger } from "pino";
import type { FlushState } from "../accounts/metering/usage-flusher.ts";
import type { UnreadyReason } from "../http/app-context.ts";

const CHECK_MS = 500;

/** In the order of their numbers in memory, from 1. */
export const UNREADY_REASONS = [
  "shutting_down",
  "snapshot_behind",
  "accounts_unavailable",
] as const satisfies readonly UnreadyReason[];

/** Makes memory in which the supervisor says why load balancers should send no requests, and workers read it. */
export function createReadinessMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/**
 * Returns why load balancers should send no requests to this node; null if they should, as far as the supervisor knows.
 */
export function unreadyReason(memory: SharedArrayBuffer): UnreadyReason | null {
  const at = Atomics.load(new Int32Array(memory), 0);
  return UNREADY_REASONS[at - 1] ?? null;
}

/**
 * Keeps the memory current until `owned` is disposed of: calls `find` twice a second, and logs each change. Returns a
 * function that does so at once.
 */
export function keepReadiness(
  memory: SharedArrayBuffer,
  find: () => UnreadyReason | null,
  logger: Logger,
  owned: AsyncDisposableStack,
): () => void {
  function check(): void {
    const reason = find();
    if (reason === unreadyReason(memory)) return;
    const number = reason === null ? 0 : UNREADY_REASONS.indexOf(reason) + 1;
    Atomics.store(new Int32Array(memory), 0, number);
    if (reason === null) logger.info("ready again");
    else
      logger[reason === "shutting_down" ? "info" : "warn"](
        { reason },
        "not ready: /readyz is 503",
      );
  }
  const timer = setInterval(check, CHECK_MS).unref();
  owned.defer(() => clearInterval(timer));
  return check;
}

/**
 * Returns how long known keys keep working without the accounts database, in milliseconds: less than `graceMs` once
 * writing fails, and 0 when the grace is over.
 */
export function graceLeftMs(
  { failingSinceMs, inStepMs }: FlushState,
  graceMs: number,
  nowMs: number,
): number {
  if (failingSinceMs === null) return graceMs;
  return Math.max(0, graceMs - (nowMs - (inStepMs ?? failingSinceMs)));
}
