import { hashKey, isWellFormedKey } from "./api-key.ts";
import type { KeyVerdict, Plan } from "./gate.ts";
import { stateOf, type KeyStanding } from "./key-store.ts";
import { planNamed } from "./plans.ts";

/** How long a reading is trusted: every change is in force this much later at the latest. */
export const TRUST_MS = 2_000;

/** Readings kept: of keys that exist, and of well-formed ones that do not. */
const MAX_KNOWN = 50_000;
const MAX_STRANGERS = 5_000;

const MALFORMED: KeyVerdict = { status: "unknown", reason: "malformed" };
const NEVER_ISSUED: KeyVerdict = { status: "unknown", reason: "never_issued" };
const REVOKED: KeyVerdict = { status: "unknown", reason: "revoked" };
const EXPIRED: KeyVerdict = { status: "unknown", reason: "expired" };
const SUSPENDED: KeyVerdict = { status: "suspended" };

export interface KeyVerifierOptions {
  readonly plans: ReadonlyMap<string, Plan>;
  /** Reads a key's standing by its hash; null when it was never issued. */
  readonly read: (hash: string) => KeyStanding | null;
  /** Told of each second in which a key was used with success, at least once. */
  readonly noteUse: (keyId: number, second: number) => void;
}

/** A key that exists, as it was read. */
interface KnownKey {
  readonly standing: KeyStanding;
  readonly verdict: KeyVerdict;
  readonly readAtMs: number;
  notedSecond: number;
}

/**
 * Checks keys for one thread: shape and checksum, then a small memory of hashes, and only past that a reading. The two
 * halves of the memory are apart so that a flood of invented keys, each new, pushes out nothing but earlier ones.
 */
export class KeyVerifier {
  readonly #options: KeyVerifierOptions;
  readonly #known = new Map<string, KnownKey>();
  /** Hashes of keys that were never issued, and when that was read. */
  readonly #strangers = new Map<string, number>();

  constructor(options: KeyVerifierOptions) {
    this.#options = options;
  }

  verify(key: string, nowMs: number): KeyVerdict {
    if (!isWellFormedKey(key)) return MALFORMED;
    const hash = hashKey(key);
    let known = this.#known.get(hash);
    if (known === undefined || !isTrusted(known.readAtMs, nowMs)) {
      const strangerSince = this.#strangers.get(hash);
      if (strangerSince !== undefined && isTrusted(strangerSince, nowMs))
        return NEVER_ISSUED;
      known = this.#read(hash, nowMs);
      if (known === undefined) return NEVER_ISSUED;
    }
    // Unlike what people do to a key, the end of an overlap is known beforehand and holds to the millisecond.
    const { expires_at, revoked_at } = known.standing;
    const state = stateOf(revoked_at, expires_at, nowMs);
    if (state === "revoked") return REVOKED;
    if (state === "expired") return EXPIRED;
    if (known.verdict.status === "valid") this.#note(known, nowMs);
    return known.verdict;
  }

  #read(hash: string, nowMs: number): KnownKey | undefined {
    const standing = this.#options.read(hash);
    // Taken out and put in again, an entry moves to the end: what is used stays, the oldest reading goes.
    this.#known.delete(hash);
    this.#strangers.delete(hash);
    if (standing === null) {
      remember(this.#strangers, hash, nowMs, MAX_STRANGERS);
      return undefined;
    }
    const known: KnownKey = {
      standing,
      verdict: this.#judge(standing),
      readAtMs: nowMs,
      notedSecond: 0,
    };
    remember(this.#known, hash, known, MAX_KNOWN);
    return known;
  }

  #judge({ account_id, plan, suspended_at }: KeyStanding): KeyVerdict {
    if (suspended_at !== null) return SUSPENDED;
    return {
      status: "valid",
      account: { id: account_id, plan: planNamed(this.#options.plans, plan) },
    };
  }

  #note(known: KnownKey, nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second === known.notedSecond) return;
    known.notedSecond = second;
    this.#options.noteUse(known.standing.id, second);
  }
}

/** A clock that was set back makes a reading untrusted, not trusted for longer. */
function isTrusted(readAtMs: number, nowMs: number): boolean {
  return nowMs >= readAtMs && nowMs - readAtMs < TRUST_MS;
}

function remember<Value>(
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
