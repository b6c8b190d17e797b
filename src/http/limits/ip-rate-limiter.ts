import { hash } from "node:crypto";
import { takeToken } from "../../accounts/metering/burst-bucket.ts";
import type { BurstState } from "../../accounts/metering/gate.ts";
import type { HeaderList } from "../pipeline/headers.ts";
import { networkOf } from "../access/client-address.ts";

/** Two addresses can share a bucket by chance: among a thousand active ones, one in 65 does. */
const BUCKETS = 1 << 16;
/** The size of a bucket, in seconds of its rate. */
const BUCKET_SECONDS = 3;

/** Memory shared by all threads. `salt` keeps clients from choosing whose bucket they share. */
export interface IpRateLimiterMemory {
  readonly cells: SharedArrayBuffer;
  readonly salt: string;
}

export function createIpRateLimiterMemory(salt: string): IpRateLimiterMemory {
  return { cells: new SharedArrayBuffer(BUCKETS * 8), salt };
}

/** A burst limit per client, mostly an address (IPv6: per /64), shared by all threads. */
export class IpRateLimiter {
  /** Requests per second. */
  readonly perSecond: number;
  /** Requests at once. */
  readonly size: number;
  readonly #cells: BigInt64Array<SharedArrayBuffer>;
  readonly #salt: string;

  constructor({ cells, salt }: IpRateLimiterMemory, perSecond: number) {
    this.perSecond = perSecond;
    this.size = perSecond * BUCKET_SECONDS;
    this.#cells = new BigInt64Array(cells);
    this.#salt = salt;
  }

  /** Counts a request of a client, or as many as `requests`, at most `size`; all or none. */
  take(client: string, nowMs: number, requests = 1): BurstState {
    const digest = hash("sha1", this.#salt + networkOf(client), "hex");
    const cell = Number.parseInt(digest.slice(0, 8), 16) % BUCKETS;
    return takeToken(
      this.#cells,
      cell,
      this.perSecond,
      nowMs,
      this.size,
      requests,
    );
  }

  /** Makes the headers for the limit and its state, in the format of the IETF draft (`headers.ts`). */
  headers({ remaining, resetSeconds }: BurstState): HeaderList {
    return [
      "ratelimit-policy",
      `"burst";q=${this.size};w=${BUCKET_SECONDS}`,
      "ratelimit",
      `"burst";r=${remaining};t=${resetSeconds}`,
    ];
  }
}
