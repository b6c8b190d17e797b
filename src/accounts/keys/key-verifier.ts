import { hashKey, isWellFormedKey } from "./api-key.ts";
import type { SettledVerdict } from "../metering/gate.ts";
import type { KeyStanding } from "./key-store.ts";
import {
  isYounger,
  KeyCache,
  MALFORMED,
  NEVER_ISSUED,
  type KeyCacheOptions,
} from "./key-cache.ts";

/** How long a reading is trusted: every change is in force this much later at the latest. */
export const TRUST_MS = 2_000;

export interface KeyVerifierOptions extends KeyCacheOptions {
  /** Reads a key's standing by its hash; null when it was never issued. */
  readonly read: (hash: string) => KeyStanding | null;
}

/**
 * Checks keys for one thread over a database file: shape and checksum, then memory, and only past that a reading, which
 * takes some microseconds.
 */
export class KeyVerifier {
  readonly #keys: KeyCache;
  readonly #read: (hash: string) => KeyStanding | null;

  constructor(options: KeyVerifierOptions) {
    this.#keys = new KeyCache(options);
    this.#read = options.read;
  }

  /** See `Gate.remembers`. */
  remembers(key: string): boolean {
    return isWellFormedKey(key) && this.#keys.find(hashKey(key)) !== undefined;
  }

  verify(key: string, nowMs: number): SettledVerdict {
    if (!isWellFormedKey(key)) return MALFORMED;
    const hash = hashKey(key);
    let known = this.#keys.find(hash);
    if (known === undefined || !isYounger(known.readAtMs, TRUST_MS, nowMs)) {
      const strangerSince = this.#keys.strangerSince(hash);
      if (
        strangerSince !== undefined &&
        isYounger(strangerSince, TRUST_MS, nowMs)
      )
        return NEVER_ISSUED;
      known = this.#keys.learn(hash, this.#read(hash), nowMs);
    }
    return known === undefined ? NEVER_ISSUED : this.#keys.use(known, nowMs);
  }
}
