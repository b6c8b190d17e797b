import type { Plan, SettledVerdict } from "../metering/gate.ts";
import type { KeyUses } from "../metering/key-uses.ts";
import { planNamed } from "../plans.ts";
import { hashKey, isWellFormedKey, stateOf } from "./api-key.ts";
import type { KeyRow } from "./key-store.ts";

/** How long a reading is trusted; changes take effect within this time. */
export const TRUST_MS = 2_000;

/** Readings kept, of existing keys and of well-formed unknown ones. */
export const MAX_KNOWN = 50_000;
const MAX_UNKNOWN = 5_000;

/** Keys whose hashes are kept in memory. */
const MAX_HASHED = 1_000;

export const MALFORMED: SettledVerdict = {
  status: "unknown",
  reason: "malformed",
};
export const NEVER_ISSUED: SettledVerdict = {
  status: "unknown",
  reason: "never_issued",
};
const REVOKED: SettledVerdict = { status: "unknown", reason: "revoked" };
const EXPIRED: SettledVerdict = { status: "unknown", reason: "expired" };
const SUSPENDED: SettledVerdict = { status: "suspended" };

/** An existing key, as it was read. */
export interface KnownKey {
  readonly row: KeyRow;
  readonly verdict: SettledVerdict;
  readonly readAtMs: number;
  /** When it was last used successfully, in epoch seconds; 0 for never. */
  notedSecond: number;
}

export interface KeyCacheOptions {
  readonly plans: ReadonlyMap<string, Plan>;
  /** Where answers to a key are counted; notes at least once each second in which a key was used successfully. */
  readonly uses: Pick<KeyUses, "placeOf" | "note">;
}

export interface KeyVerifierOptions extends KeyCacheOptions {
  /** Reads a key by its hash; null if it was never issued. */
  readonly read: (hash: string) => KeyRow | null;
}

/**
 * Verifies keys for one thread on a database file: shape and checksum first, then memory, and only then a read, which
 * takes some microseconds.
 */
export class KeyVerifier {
  readonly #keys: KeyCache;
  readonly #read: (hash: string) => KeyRow | null;

  constructor(options: KeyVerifierOptions) {
    this.#keys = new KeyCache(options);
    this.#read = options.read;
  }

  /** See `Gate.remembers`. */
  remembers(key: string): boolean {
    return this.#keys.remembers(key);
  }

  verify(key: string, nowMs: number): SettledVerdict {
    const hash = this.#keys.hashOf(key);
    if (hash === null) return MALFORMED;
    let known = this.#keys.find(hash);
    if (known === undefined || !isYounger(known.readAtMs, TRUST_MS, nowMs)) {
      const unknownSince = this.#keys.unknownSince(hash);
      if (
        unknownSince !== undefined &&
        isYounger(unknownSince, TRUST_MS, nowMs)
      )
        return NEVER_ISSUED;
      known = this.#keys.learn(hash, this.#read(hash), nowMs);
    }
    return known === undefined ? NEVER_ISSUED : this.#keys.use(known, nowMs);
  }
}

/**
 * A thread's key readings by hash. Unknown keys have a separate memory, so a flood of made-up keys pushes out only
 * other unknown ones.
 */
export class KeyCache {
  readonly #options: KeyCacheOptions;
  readonly #known = new Map<string, KnownKey>();
  /** Hashes of keys that were never issued, with the time of the reading. */
  readonly #strangers = new Map<string, number>();
  /** Hashes of keys that were read before, by key: the shape, the checksum and the hash take 2 µs. */
  readonly #hashes = new Map<string, string>();

  constructor(options: KeyCacheOptions) {
    this.#options = options;
  }

  /** The hash of a key; null if it has not the shape of a key. It says nothing about whether the key is valid. */
  hashOf(key: string): string | null {
    const kept = this.#hashes.get(key);
    if (kept !== undefined) return kept;
    if (!isWellFormedKey(key)) return null;
    const hash = hashKey(key);
    // Made-up keys push out nothing.
    if (this.#known.has(hash)) remember(this.#hashes, key, hash, MAX_HASHED);
    return hash;
  }

  /** Whether there is a reading of a key. */
  remembers(key: string): boolean {
    const hash = this.hashOf(key);
    return hash !== null && this.#known.has(hash);
  }

  /** The reading of a key; undefined if none is remembered. */
  find(hash: string): KnownKey | undefined {
    return this.#known.get(hash);
  }

  /** When a key was read as never issued; undefined if that is not remembered. */
  unknownSince(hash: string): number | undefined {
    return this.#strangers.get(hash);
  }

  entries(): MapIterator<[hash: string, known: KnownKey]> {
    return this.#known.entries();
  }

  /** Stores a reading; null for a key that was never issued. */
  learn(hash: string, row: KeyRow | null, nowMs: number): KnownKey | undefined {
    const notedSecond = this.#known.get(hash)?.notedSecond ?? 0;
    // Deleting and re-inserting moves an entry to the end, so the oldest reading is dropped first.
    this.#known.delete(hash);
    this.#strangers.delete(hash);
    if (row === null) {
      remember(this.#strangers, hash, nowMs, MAX_UNKNOWN);
      return undefined;
    }
    const verdict = this.#judge(row);
    const known = { row, verdict, readAtMs: nowMs, notedSecond };
    remember(this.#known, hash, known, MAX_KNOWN);
    return known;
  }

  /** The verdict of a reading now. Unlike other changes, the end of a key is exact to the millisecond. */
  use(known: KnownKey, nowMs: number): SettledVerdict {
    const { expires_at, revoked_at } = known.row;
    const state = stateOf(revoked_at, expires_at, nowMs);
    if (state === "revoked") return REVOKED;
    if (state === "expired") return EXPIRED;
    if (known.verdict.status === "valid") this.#note(known, nowMs);
    return known.verdict;
  }

  #judge({ account_id, id, plan, suspended_at }: KeyRow): SettledVerdict {
    if (suspended_at !== null) return SUSPENDED;
    return {
      status: "valid",
      account: {
        id: account_id,
        keyPlace: this.#options.uses.placeOf(id),
        plan: planNamed(this.#options.plans, plan),
      },
    };
  }

  #note(known: KnownKey, nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second === known.notedSecond) return;
    known.notedSecond = second;
    this.#options.uses.note(known.row.id, second);
  }
}

/** Whether a reading is younger than `thanMs`. A clock that was set back makes it older, not younger. */
export function isYounger(
  readAtMs: number,
  thanMs: number,
  nowMs: number,
): boolean {
  return nowMs >= readAtMs && nowMs - readAtMs < thanMs;
}

/** Adds a value to a map of limited size, dropping the oldest, which it returns. */
export function remember<Value>(
  memory: Map<string, Value>,
  key: string,
  value: Value,
  most: number,
): Value | undefined {
  let dropped: Value | undefined;
  if (memory.size >= most) {
    for (const [oldest, its] of memory) {
      memory.delete(oldest);
      dropped = its;
      break;
    }
  }
  memory.set(key, value);
  return dropped;
}
