import type { Plan, SettledVerdict } from "../metering/gate.ts";
import type { KeyUses } from "../metering/key-uses.ts";
import { planNamed } from "../plans.ts";
import { hashKey, isWellFormedKey, stateOf } from "./api-key.ts";
import type { KeyRow } from "./key-store.ts";

/** How long a reading is trusted: every change is in force this much later at the latest. */
export const TRUST_MS = 2_000;

/** Readings kept: of keys that exist, and of well-formed ones that do not. */
export const MAX_KNOWN = 50_000;
const MAX_UNKNOWN = 5_000;

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

/** A key that exists, as it was read. */
export interface KnownKey {
  readonly row: KeyRow;
  readonly verdict: SettledVerdict;
  readonly readAtMs: number;
  /** When it was last used with success, in epoch seconds; 0 for never. */
  notedSecond: number;
}

export interface KeyCacheOptions {
  readonly plans: ReadonlyMap<string, Plan>;
  /** Tells where the answers to a key are counted, and is told of each second in which one was used with success, at least once. */
  readonly uses: Pick<KeyUses, "placeOf" | "note">;
}

export interface KeyVerifierOptions extends KeyCacheOptions {
  /** Reads a key's standing by its hash; null when it was never issued. */
  readonly read: (hash: string) => KeyRow | null;
}

/**
 * Checks keys for one thread over a database file: shape and checksum, then memory, and only past that a reading, which
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
    return isWellFormedKey(key) && this.#keys.find(hashKey(key)) !== undefined;
  }

  verify(key: string, nowMs: number): SettledVerdict {
    if (!isWellFormedKey(key)) return MALFORMED;
    const hash = hashKey(key);
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
 * What a thread has read of keys, by their hashes. The two halves of the memory are apart so that a flood of invented
 * keys, each new, pushes out nothing but earlier ones.
 */
export class KeyCache {
  readonly #options: KeyCacheOptions;
  readonly #known = new Map<string, KnownKey>();
  /** Hashes of keys that were never issued, and when that was read. */
  readonly #strangers = new Map<string, number>();

  constructor(options: KeyCacheOptions) {
    this.#options = options;
  }

  /** What was read of a key, undefined when nothing is remembered. */
  find(hash: string): KnownKey | undefined {
    return this.#known.get(hash);
  }

  /** When it was read that no such key was issued, undefined when that is not remembered. */
  unknownSince(hash: string): number | undefined {
    return this.#strangers.get(hash);
  }

  entries(): MapIterator<[hash: string, known: KnownKey]> {
    return this.#known.entries();
  }

  /** Takes in a reading; null for a key that was never issued. */
  learn(hash: string, row: KeyRow | null, nowMs: number): KnownKey | undefined {
    const notedSecond = this.#known.get(hash)?.notedSecond ?? 0;
    // Taken out and put in again, an entry moves to the end: what is used stays, the oldest reading goes.
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

  /** What a reading says now. Unlike what people do to a key, the end of a key holds to the millisecond. */
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

/** Whether a reading is younger than so many milliseconds. A clock that was set back makes it older, not younger. */
export function isYounger(
  readAtMs: number,
  thanMs: number,
  nowMs: number,
): boolean {
  return nowMs >= readAtMs && nowMs - readAtMs < thanMs;
}

/** Puts a value into a memory of limited size, out of which the oldest goes. */
export function remember<Value>(
  memory: Map<string, Value>,
  hash: string,
  value: Value,
  most: number,
): void {
  if (memory.size >= most) {
    for (const oldest of memory.keys()) {
      memory.delete(oldest);
      break;
    }
  }
  memory.set(hash, value);
}
