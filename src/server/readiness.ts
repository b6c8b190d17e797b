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

/** Memory in which the supervisor says why load balancers should send no requests, and workers read it. */
export function createReadinessMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/** Why load balancers should send no requests to this node; null if they should, as far as the supervisor knows. */
export function unreadyReason(memory: SharedArrayBuffer): UnreadyReason | null {
  const at = Atomics.load(new Int32Array(memory), 0);
  return UNREADY_REASONS[at - 1] ?? null;
}

/** The supervisor's view of whether this node should get requests. It logs each change. */
export class Readiness implements Disposable {
  readonly #memory: SharedArrayBuffer;
  readonly #find: () => UnreadyReason | null;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout;

  /** Workers read the memory (`createReadinessMemory`). `find` is called twice a second. */
  constructor(
    memory: SharedArrayBuffer,
    find: () => UnreadyReason | null,
    logger: Logger,
  ) {
    this.#memory = memory;
    this.#find = find;
    this.#logger = logger;
    this.#timer = setInterval(() => this.check(), CHECK_MS).unref();
  }

  /** Why it should get none, or null. */
  get reason(): UnreadyReason | null {
    return unreadyReason(this.#memory);
  }

  /** Checks now. */
  check(): void {
    const reason = this.#find();
    if (reason === this.reason) return;
    const number = reason === null ? 0 : UNREADY_REASONS.indexOf(reason) + 1;
    Atomics.store(new Int32Array(this.#memory), 0, number);
    if (reason === null) this.#logger.info("ready again");
    else this.#logger.warn({ reason }, "not ready: /readyz is 503");
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/**
 * How long known keys keep working without the accounts database, in milliseconds: less than `graceMs` once writing
 * fails, and 0 when the grace is over.
 */
export function graceLeftMs(
  { failingSinceMs, inStepMs }: FlushState,
  graceMs: number,
  nowMs: number,
): number {
  if (failingSinceMs === null) return graceMs;
  return Math.max(0, graceMs - (nowMs - (inStepMs ?? failingSinceMs)));
}
