import { hash } from "node:crypto";
import { takeToken } from "../../accounts/metering/burst-bucket.ts";
import type { BurstState, QuotaState } from "../../accounts/metering/gate.ts";
import { networkOf } from "../access/client-address.ts";

/** Two addresses share a bucket by chance: of a thousand that ask at once, one in 65 would. */
const BUCKETS = 1 << 16;
/** How many seconds' requests a bucket holds. */
const BUCKET_SECONDS = 3;

/** The memory in which all threads count; `salt` keeps strangers from choosing whose bucket they share. */
export interface IpRateLimiterMemory {
  readonly cells: SharedArrayBuffer;
  readonly salt: string;
}

export function createIpRateLimiterMemory(salt: string): IpRateLimiterMemory {
  return { cells: new SharedArrayBuffer(BUCKETS * 8), salt };
}

/** A burst limit for each client address (IPv6: each /64), the same in every thread. */
export class IpRateLimiter {
  /** How many requests a second. */
  readonly perSecond: number;
  /** How many at once. */
  readonly size: number;
  readonly #cells: BigInt64Array<SharedArrayBuffer>;
  readonly #salt: string;

  constructor({ cells, salt }: IpRateLimiterMemory, perSecond: number) {
    this.perSecond = perSecond;
    this.size = perSecond * BUCKET_SECONDS;
    this.#cells = new BigInt64Array(cells);
    this.#salt = salt;
  }

  /** Takes one request of an address. */
  take(address: string, nowMs: number): BurstState {
    const digest = hash("sha1", this.#salt + networkOf(address), "hex");
    const cell = Number.parseInt(digest.slice(0, 8), 16) % BUCKETS;
    return takeToken(this.#cells, cell, this.perSecond, nowMs, this.size);
  }

  /** The limit and what is left of it, as the IETF draft writes them (`headers.ts`); with the month's where that counts. */
  headers(
    { remaining, resetSeconds }: BurstState,
    month: QuotaState | null = null,
  ): Record<string, string> {
    const policy = `"burst";q=${this.size};w=${BUCKET_SECONDS}`;
    const state = `"burst";r=${remaining};t=${resetSeconds}`;
    return month === null
      ? { "ratelimit-policy": policy, ratelimit: state }
      : {
          "ratelimit-policy": `"month";q=${month.limit};w=${month.windowSeconds}, ${policy}`,
          ratelimit: `"month";r=${month.remaining};t=${month.resetSeconds}, ${state}`,
        };
  }
}
