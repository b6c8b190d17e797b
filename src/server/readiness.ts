import type { Logger } from "pino";
import type { FlushState } from "../accounts/metering/usage-flusher.ts";
import type { UnreadyReason } from "../http/app-context.ts";

const CHECK_MS = 500;

/** The first that holds is the node's. */
export const UNREADY_REASONS = [
  "shutting_down",
  "snapshot_behind",
  "accounts_unavailable",
] as const satisfies readonly UnreadyReason[];

/** Whether each of the reasons holds, other than that the process stops. */
export type ReadinessChecks = Readonly<
  Record<Exclude<UnreadyReason, "shutting_down">, () => boolean>
>;

export interface ReadinessOptions {
  /** What workers read (`createReadinessMemory`). */
  readonly memory: SharedArrayBuffer;
  /** Asked twice a second. */
  readonly checks: ReadinessChecks;
  readonly logger: Logger;
}

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
  readonly #options: ReadinessOptions;
  readonly #memory: Int32Array<SharedArrayBuffer>;
  readonly #timer: NodeJS.Timeout;
  #isLeaving = false;

  constructor(options: ReadinessOptions) {
    this.#options = options;
    this.#memory = new Int32Array(options.memory);
    this.#timer = setInterval(() => this.check(), CHECK_MS).unref();
  }

  /** Why it should get none, or null. */
  get reason(): UnreadyReason | null {
    return unreadyReason(this.#options.memory);
  }

  /** From now on it should get none, because the process stops. */
  leave(): void {
    this.#isLeaving = true;
    this.check();
  }

  /** Checks now. */
  check(): void {
    const { checks, logger } = this.#options;
    const reason =
      UNREADY_REASONS.find((each) =>
        each === "shutting_down" ? this.#isLeaving : checks[each](),
      ) ?? null;
    if (reason === this.reason) return;
    Atomics.store(
      this.#memory,
      0,
      reason === null ? 0 : UNREADY_REASONS.indexOf(reason) + 1,
    );
    if (reason === null) logger.info("ready again");
    else logger.warn({ reason }, "not ready: /readyz is 503");
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
