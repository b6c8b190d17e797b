import type { KeyVerdict, SettledVerdict } from "../metering/gate.ts";
import { KeyReadBatcher, type ReadKeys } from "./key-read-batcher.ts";
import type { FeedNews, KeyReading } from "./key-reading.ts";
import {
  isYounger,
  KeyCache,
  MALFORMED,
  NEVER_ISSUED,
  type KnownKey,
  type KeyCacheOptions,
} from "./key-verifier.ts";

/** How long a reading is used, or an unknown key refused, without hearing the feed. */
const STALE_MS = 4_000;
const UNKNOWN_MS = 2_000;

/** A key counts as known in an outage if it was up to date this long before. */
const RECENT_MS = 60_000;

/** `Retry-After` of refused requests: the longest wait for the database. */
const RETRY_SECONDS = 5;
const UNAVAILABLE: SettledVerdict = {
  status: "unavailable",
  retryAfterSeconds: RETRY_SECONDS,
};

export interface RemoteKeyVerifierOptions extends KeyCacheOptions {
  /**
   * Reads keys, and passes those that were never issued to `learnUnknown`. Those that exist come by `mergeReadings`, in
   * one order with the feed: an answer may be older than the feed's last page.
   */
  readonly read: ReadKeys;
  /** How long keys work from memory while the database is away. */
  readonly graceMs: number;
  /** Called for each request during an outage of the database. */
  readonly onWithoutDatabase: (what: "from_memory" | "refused") => void;
}

/**
 * Verifies keys for one thread on a remote database. A known key is not read again while the feed of changed keys is
 * heard, and a request with one never waits. While the database is away, memory suffices for a while.
 */
export class RemoteKeyVerifier {
  readonly #options: RemoteKeyVerifierOptions;
  readonly #keys: KeyCache;
  readonly #batcher: KeyReadBatcher;
  /** When the feed was last heard, and since when it covers readings. */
  #heardAtMs = Number.NEGATIVE_INFINITY;
  #coveredSinceMs = Number.POSITIVE_INFINITY;

  constructor(options: RemoteKeyVerifierOptions) {
    this.#options = options;
    this.#keys = new KeyCache(options);
    this.#batcher = new KeyReadBatcher(options.read);
  }

  /** For `read`: remembers that a key was never issued. */
  learnUnknown(hash: string, nowMs: number): void {
    this.#keys.learn(hash, null, nowMs);
  }

  /** Stores readings that this and other threads asked for. */
  mergeReadings(readings: readonly KeyReading[]): void {
    for (const { hash, readAtMs, row } of readings) {
      this.#batcher.noteContact(readAtMs);
      this.#keys.learn(hash, row, readAtMs);
    }
  }

  /** Takes in what the feed told. */
  hear({ coveredSinceMs, heardAtMs, readings }: FeedNews): void {
    this.#heardAtMs = heardAtMs;
    this.#coveredSinceMs = coveredSinceMs;
    this.#batcher.noteContact(heardAtMs);
    for (const { hash, readAtMs, row } of readings)
      if (this.#keys.find(hash) !== undefined)
        this.#keys.learn(hash, row, readAtMs);
  }

  /** See `Gate.remembers`. */
  remembers(key: string): boolean {
    return this.#keys.remembers(key);
  }

  verify(key: string, nowMs: number): KeyVerdict {
    const hash = this.#keys.hashOf(key);
    if (hash === null) return MALFORMED;
    const known = this.#keys.find(hash);
    if (known !== undefined) {
      if (isYounger(this.#asOf(known), STALE_MS, nowMs))
        return this.#keys.use(known, nowMs);
      if (this.#isCovered(known) && this.#isInGrace(nowMs)) {
        void this.#batcher.load(hash, nowMs);
        return this.#fromMemory(known, nowMs);
      }
    }
    const since = this.#keys.unknownSince(hash);
    if (since !== undefined && isYounger(since, UNKNOWN_MS, nowMs))
      return NEVER_ISSUED;
    const loaded = this.#batcher.load(hash, nowMs);
    // No request waits for a database that did not answer the last time.
    if (this.#batcher.isAway) return this.#fromMemory(known, nowMs);
    return {
      status: "pending",
      settled: loaded.then((read) => this.#settle(hash, read !== null, nowMs)),
    };
  }

  /** Whether the feed has told every change of a key since it was read. */
  #isCovered({ readAtMs }: KnownKey): boolean {
    return readAtMs >= this.#coveredSinceMs;
  }

  /** The time until which a reading is known to be right. */
  #asOf(known: KnownKey): number {
    return this.#isCovered(known)
      ? Math.max(known.readAtMs, this.#heardAtMs)
      : known.readAtMs;
  }

  #isInGrace(nowMs: number): boolean {
    return nowMs - this.#batcher.lastContactMs < this.#options.graceMs;
  }

  #settle(hash: string, isRead: boolean, nowMs: number): SettledVerdict {
    const known = this.#keys.find(hash);
    if (!isRead) return this.#fromMemory(known, nowMs);
    return known === undefined ? NEVER_ISSUED : this.#keys.use(known, nowMs);
  }

  /** A key counts as known if it was up to date shortly before the outage, and during the grace period since. */
  #fromMemory(known: KnownKey | undefined, nowMs: number): SettledVerdict {
    if (
      known === undefined ||
      !this.#isInGrace(nowMs) ||
      this.#batcher.lastContactMs - this.#asOf(known) > RECENT_MS
    ) {
      this.#options.onWithoutDatabase("refused");
      return UNAVAILABLE;
    }
    this.#options.onWithoutDatabase("from_memory");
    return this.#keys.use(known, nowMs);
  }
}
