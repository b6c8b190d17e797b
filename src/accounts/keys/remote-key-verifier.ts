import { hashKey, isWellFormedKey } from "./api-key.ts";
import type { KeyVerdict, SettledVerdict } from "../metering/gate.ts";
import type { KeyReading } from "./key-exchange.ts";
import { KeyReadBatcher, type ReadKeys } from "./key-read-batcher.ts";
import type { KeyRow } from "./key-store.ts";
import {
  isYounger,
  KeyCache,
  MALFORMED,
  NEVER_ISSUED,
  type KnownKey,
  type KeyCacheOptions,
} from "./key-verifier.ts";

/** Readings younger than the first are used as they are; up to the second they are used while the key is read again. */
const FRESH_MS = 2_000;
const STALE_MS = 4_000;

/**
 * Keys used within the hour are read again each half minute, so that memory is up to date when the database goes away.
 */
export const SWEEP_MS = 30_000;
const IN_USE_MS = 3_600_000;

/** `Retry-After` of refused requests: the longest wait for the database. */
const RETRY_SECONDS = 5;
const UNAVAILABLE: SettledVerdict = {
  status: "unavailable",
  retryAfterSeconds: RETRY_SECONDS,
};

export interface RemoteKeyVerifierOptions extends KeyCacheOptions {
  /** Reads keys and passes them to `learn`. */
  readonly read: ReadKeys;
  /** How long keys work from memory while the database is away. */
  readonly graceMs: number;
  /** Called for each request during an outage of the database. */
  readonly onWithoutDatabase: (what: "from_memory" | "refused") => void;
}

/**
 * Verifies keys for one thread on a remote database. A request with a known key never waits; the key is read again in
 * the background. While the database is away, memory suffices for a while.
 */
export class RemoteKeyVerifier {
  readonly #options: RemoteKeyVerifierOptions;
  readonly #keys: KeyCache;
  readonly #batcher: KeyReadBatcher;

  constructor(options: RemoteKeyVerifierOptions) {
    this.#options = options;
    this.#keys = new KeyCache(options);
    this.#batcher = new KeyReadBatcher(options.read);
  }

  /** For `read`: stores the reading of a key. Returns whether other threads should get it. */
  learn(hash: string, row: KeyRow | null, nowMs: number): boolean {
    const isNews = row !== null || this.#keys.find(hash) !== undefined;
    this.#keys.learn(hash, row, nowMs);
    return isNews;
  }

  /** Stores newer readings of other threads. */
  mergeReadings(readings: readonly KeyReading[]): void {
    for (const { hash, readAtMs, row } of readings) {
      this.#batcher.noteContact(readAtMs);
      const known = this.#keys.find(hash);
      if (known === undefined || known.readAtMs < readAtMs)
        this.#keys.learn(hash, row, readAtMs);
    }
  }

  /** See `Gate.remembers`. */
  remembers(key: string): boolean {
    return isWellFormedKey(key) && this.#keys.find(hashKey(key)) !== undefined;
  }

  verify(key: string, nowMs: number): KeyVerdict {
    if (!isWellFormedKey(key)) return MALFORMED;
    const hash = hashKey(key);
    const known = this.#keys.find(hash);
    if (known !== undefined && isYounger(known.readAtMs, STALE_MS, nowMs)) {
      if (!isYounger(known.readAtMs, FRESH_MS, nowMs))
        void this.#batcher.load(hash, nowMs);
      return this.#keys.use(known, nowMs);
    }
    const since = this.#keys.unknownSince(hash);
    if (since !== undefined && isYounger(since, FRESH_MS, nowMs))
      return NEVER_ISSUED;
    const loaded = this.#batcher.load(hash, nowMs);
    // No request waits for a database that did not answer the last time.
    if (this.#batcher.isAway) return this.#fromMemory(known, nowMs);
    return {
      status: "pending",
      settled: loaded.then((isRead) => this.#settle(hash, isRead, nowMs)),
    };
  }

  /** Reads keys in use again; call it every `SWEEP_MS`. */
  sweep(nowMs: number): void {
    for (const [hash, { notedSecond, readAtMs }] of this.#keys.entries()) {
      const isInUse = nowMs - notedSecond * 1000 < IN_USE_MS;
      if (isInUse && nowMs - readAtMs >= SWEEP_MS / 2)
        void this.#batcher.load(hash, nowMs);
    }
  }

  #settle(hash: string, isRead: boolean, nowMs: number): SettledVerdict {
    const known = this.#keys.find(hash);
    if (!isRead) return this.#fromMemory(known, nowMs);
    return known === undefined ? NEVER_ISSUED : this.#keys.use(known, nowMs);
  }

  /** A key counts as known if it was read shortly before the outage, and during the grace period since. */
  #fromMemory(known: KnownKey | undefined, nowMs: number): SettledVerdict {
    const contactMs = this.#batcher.lastContactMs;
    if (
      known === undefined ||
      nowMs - contactMs >= this.#options.graceMs ||
      contactMs - known.readAtMs > 2 * SWEEP_MS
    ) {
      this.#options.onWithoutDatabase("refused");
      return UNAVAILABLE;
    }
    this.#options.onWithoutDatabase("from_memory");
    return this.#keys.use(known, nowMs);
  }
}
