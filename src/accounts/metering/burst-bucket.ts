import type { BurstState } from "./gate.ts";

/**
 * Time in the bucket: ticks of 100 ns since 2020. A JavaScript number is exact for these until 2048, and they divide a
 * second finely enough for any burst.
 */
const TICK_EPOCH_MS = Date.UTC(2020, 0, 1);
const TICKS_PER_MS = 10_000;
const TICKS_PER_SECOND = 10_000_000;

/** The cell of a full bucket. */
const UNTOUCHED = 0n;

/**
 * Takes a token, or several, from a bucket that refills `burstPerSecond` a second and holds as many, or `size`. The
 * bucket is one 64-bit cell, so threads need no lock: the time at which it will be full again (the "theoretical arrival
 * time" of the generic cell rate algorithm, ITU-T I.371). Each token moves that time on by its share of a second.
 */
export function takeToken(
  cells: BigInt64Array<SharedArrayBuffer>,
  cell: number,
  burstPerSecond: number,
  nowMs: number,
  size = burstPerSecond,
  tokens = 1,
): BurstState {
  const now = Math.floor((nowMs - TICK_EPOCH_MS) * TICKS_PER_MS);
  const interval = Math.floor(TICKS_PER_SECOND / burstPerSecond);
  const depth = interval * size;
  for (;;) {
    const before = Atomics.load(cells, cell);
    const wasFullAt = before === UNTOUCHED ? now : Number(before);
    const fullAt = Math.min(Math.max(wasFullAt, now), now + depth);
    const next = fullAt + interval * tokens;
    const tooEarly = next - now - depth;
    if (tooEarly > 0) {
      // Threads' clocks differ slightly. A larger difference means that the clock was set back; the bucket then refills
      // from now on instead of staying empty until the clock catches up.
      if (wasFullAt - fullAt > TICKS_PER_SECOND) {
        Atomics.compareExchange(cells, cell, before, BigInt(fullAt));
      }
      return {
        allowed: false,
        remaining: 0,
        retryAfterSeconds: Math.ceil(tooEarly / TICKS_PER_SECOND),
        resetSeconds: Math.ceil((fullAt - now) / TICKS_PER_SECOND),
      };
    }
    if (Atomics.compareExchange(cells, cell, before, BigInt(next)) === before) {
      const remaining = Math.floor((now + depth - next) / interval);
      return {
        allowed: true,
        remaining,
        retryAfterSeconds:
          remaining > 0
            ? 0
            : Math.ceil((tooEarly + interval) / TICKS_PER_SECOND),
        resetSeconds: Math.ceil((next - now) / TICKS_PER_SECOND),
      };
    }
  }
}
