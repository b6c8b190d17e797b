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

/** A younger reading is used as it is; up to the second age it is used while the key is read again, and then not at all. */
const FRESH_MS = 2_000;
const STALE_MS = 4_000;

/** Keys that were used within the hour are read again each half minute, so that memory is good when the database goes. */
export const SWEEP_MS = 30_000;
const IN_USE_MS = 3_600_000;

/** When a request is to come again that had to be refused: after the longest wait for the database. */
const RETRY_SECONDS = 5;
const UNAVAILABLE: SettledVerdict = {
  status: "unavailable",
  retryAfterSeconds: RETRY_SECONDS,
};

export interface RemoteKeyVerifierOptions extends KeyCacheOptions {
  /** Reads keys and has them learned. */
  readonly read: ReadKeys;
  /** How long a key goes on working from memory while the database is away. */
  readonly graceMs: number;
  /** Told of each request that met a database that was away. */
  readonly onWithoutDatabase: (what: "from_memory" | "refused") => void;
}

/**
 * Checks keys for one thread over a database on another machine. A request with a key that memory knows never waits: its
 * key is read again beside it. While the database is away, memory is enough for a while.
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

  /** For `read`: takes in what was found of a key; whether other threads should hear of it. */
  learn(hash: string, row: KeyRow | null, nowMs: number): boolean {
    const isNews = row !== null || this.#keys.find(hash) !== undefined;
    this.#keys.learn(hash, row, nowMs);
    return isNews;
  }

  /** Takes in what other threads of the process have read, where it is newer. */
  learnFromOthers(readings: readonly KeyReading[]): void {
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
    // Nobody waits for a database that did not answer the last time.
    if (this.#batcher.isAway) return this.#fromMemory(known, nowMs);
    return {
      status: "pending",
      settled: loaded.then((isRead) => this.#settle(hash, isRead, nowMs)),
    };
  }

  /** Reads the keys in use again; to be called each `SWEEP_MS`. */
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

  /** A key counts as known when it was read shortly before the database went, and for the time of grace since then. */
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
