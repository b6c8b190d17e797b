import type { KeyRow } from "./keys.ts";

/** The memory of a `KeyTable`: two buffers that grow, of which only the used part costs memory. */
export interface KeyTableMemory {
  readonly entries: SharedArrayBuffer;
  readonly index: SharedArrayBuffer;
}

/** No key has this hash. */
export const NO_KEY = -1;

/** The status of a key, apart from its end. A revoked key of a suspended account is revoked. */
export type KeyStatus = "deleted" | "active" | "suspended" | "revoked";

const STATUSES: readonly KeyStatus[] = [
  "deleted",
  "active",
  "suspended",
  "revoked",
];

/** The entry of a key, in 32-bit words: its SHA-256, its facts, and the reading that last had it. */
const ENTRY_WORDS = 14;
const HASH_WORDS = 8;
const KEY_ID = 8;
const ACCOUNT_ID = 9;
/** A status in the lowest bits, the plan's number, and the number of the key's end. */
const STATE = 10;
const STATUS_BITS = 2;
const PLAN_BITS = 16;
const READING = 11;
/** The 64-bit word with the key's end in epoch milliseconds. */
const END = 6;
const ENDLESS = Number.MAX_SAFE_INTEGER;

/** The index's header: log2 of the capacity, and the number of keys. */
const LEVEL = 0;
const COUNT = 1;
const HEADER_WORDS = 16;

const MIN_LEVEL = 10;
/** 16 million keys. */
const MAX_LEVEL = 24;
const SLOTS_PER_KEY = 2;
const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** Reserves memory for an empty table: addresses for 16 million keys, and space for a thousand. */
export function createKeyTableMemory(): KeyTableMemory {
  const entries = new SharedArrayBuffer(entryBytes(MIN_LEVEL), {
    maxByteLength: entryBytes(MAX_LEVEL),
  });
  const index = new SharedArrayBuffer(indexBytes(MIN_LEVEL), {
    maxByteLength: indexBytes(MAX_LEVEL),
  });
  new Int32Array(index)[LEVEL] = MIN_LEVEL;
  return { entries, index };
}

/** The facts of a key that decide about a request, as of now. */
export interface KeyFacts {
  readonly keyId: number;
  readonly accountId: number;
}

/**
 * All keys of an installation, in memory that the threads of a process share. One thread, the supervisor, writes; every
 * thread finds a key without a lock or a wait. An entry is never moved or given to another key, and each of its facts
 * changes in one step. A key takes 56 bytes, and up to 24 of the index, whose next level is complete before it is used.
 */
export class KeyTable {
  readonly #memory: KeyTableMemory;
  /** LEVEL and COUNT, at an address that stays. */
  readonly #header: Int32Array<SharedArrayBuffer>;
  #level = 0;
  #words: Int32Array<SharedArrayBuffer>;
  #ends: BigInt64Array<SharedArrayBuffer>;
  /** Open addressing: 0, or an entry's place plus one. */
  #slots: Int32Array<SharedArrayBuffer>;

  constructor(memory: KeyTableMemory) {
    this.#memory = memory;
    this.#header = new Int32Array(memory.index, 0, HEADER_WORDS);
    this.#words = new Int32Array(memory.entries, 0, 0);
    this.#ends = new BigInt64Array(memory.entries, 0, 0);
    this.#slots = this.#words;
  }

  /** The number of keys, with those that were deleted since the process started. */
  get size(): number {
    return Atomics.load(this.#header, COUNT);
  }

  /** Finds the place of a key by its hash, eight words (`hashWords`); NO_KEY if it was never issued. */
  find(hash: Int32Array): number {
    this.#view();
    const mask = this.#slots.length - 1;
    for (let slot = hash[0]! & mask; ; slot = (slot + 1) & mask) {
      const place = Atomics.load(this.#slots, slot) - 1;
      if (place === NO_KEY || this.#hasHash(place, hash)) return place;
    }
  }

  /** Reads the state of a key as one number, which changes with its status, its plan, and its end. */
  stateOf(place: number): number {
    return Atomics.load(this.#words, place * ENTRY_WORDS + STATE);
  }

  /** Reads when a key ends, in epoch milliseconds. */
  endOf(place: number): number {
    return Number(Atomics.load(this.#ends, endWord(place)));
  }

  factsOf(place: number): KeyFacts {
    const entry = place * ENTRY_WORDS;
    return {
      keyId: this.#words[entry + KEY_ID]!,
      accountId: this.#words[entry + ACCOUNT_ID]!,
    };
  }

  /** Adds a key, or replaces its facts, for the supervisor. `reading` numbers readings of all keys. */
  put(hash: Int32Array, row: KeyRow, plan: number, reading = 0): void {
    let place = this.find(hash);
    const isNew = place === NO_KEY;
    if (isNew) {
      place = this.size;
      if (place === 2 ** this.#level) this.#grow();
    }
    const entry = place * ENTRY_WORDS;
    const endMs = row.expires_at ?? ENDLESS;
    const before = this.#words[entry + STATE]! >> (STATUS_BITS + PLAN_BITS);
    const ends = endMs === this.endOf(place) ? before : before + 1;
    const status = STATUSES.indexOf(statusOf(row));
    // In this order: who sees the new state reads the new end.
    Atomics.store(this.#ends, endWord(place), BigInt(endMs));
    Atomics.store(
      this.#words,
      entry + STATE,
      (((ends << PLAN_BITS) | plan) << STATUS_BITS) | status,
    );
    this.#words[entry + READING] = reading;
    this.#words[entry + KEY_ID] = row.id;
    this.#words[entry + ACCOUNT_ID] = row.account_id;
    if (!isNew) return;
    this.#words.set(hash, entry);
    Atomics.store(this.#header, COUNT, place + 1);
    this.#publish(place);
  }

  /** Notes that a key was deleted, for the supervisor. Returns its account; null if the key is unknown. */
  delete(hash: Int32Array): number | null {
    const place = this.find(hash);
    if (place === NO_KEY) return null;
    Atomics.store(this.#words, place * ENTRY_WORDS + STATE, 0);
    return this.factsOf(place).accountId;
  }

  /** Notes, for the supervisor, that all keys were deleted that a reading of all keys doesn't have. */
  deleteOthers(reading: number): void {
    this.#view();
    for (let place = 0; place < this.size; place++) {
      const entry = place * ENTRY_WORDS;
      if (this.#words[entry + READING] !== reading)
        Atomics.store(this.#words, entry + STATE, 0);
    }
  }

  #hasHash(place: number, hash: Int32Array): boolean {
    const entry = place * ENTRY_WORDS;
    for (let word = 0; word < HASH_WORDS; word++)
      if (this.#words[entry + word] !== hash[word]) return false;
    return true;
  }

  /** Doubles the capacity. The next level of the index is complete before other threads see it. */
  #grow(): void {
    const level = this.#level + 1;
    if (level > MAX_LEVEL)
      throw new RangeError(`More than ${2 ** MAX_LEVEL} keys`);
    this.#memory.entries.grow(entryBytes(level));
    this.#memory.index.grow(indexBytes(level));
    this.#use(level);
    for (let place = 0; place < this.size; place++) this.#publish(place);
    Atomics.store(this.#header, LEVEL, level);
  }

  /** Enters a key into the index. */
  #publish(place: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#words[place * ENTRY_WORDS]! & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    Atomics.store(this.#slots, slot, place + 1);
  }

  /** Follows the table's growth. */
  #view(): void {
    const level = Atomics.load(this.#header, LEVEL);
    if (level !== this.#level) this.#use(level);
  }

  #use(level: number): void {
    const { entries, index } = this.#memory;
    const words = entryBytes(level) / WORD_BYTES;
    this.#level = level;
    this.#words = new Int32Array(entries, 0, words);
    this.#ends = new BigInt64Array(entries, 0, words / 2);
    const slots = SLOTS_PER_KEY * 2 ** level;
    this.#slots = new Int32Array(
      index,
      indexBytes(level) - slots * WORD_BYTES,
      slots,
    );
  }
}

/** Reads the status of a key out of its state. */
export function statusIn(state: number): KeyStatus {
  return STATUSES[state & ((1 << STATUS_BITS) - 1)]!;
}

/** Reads the number of its account's plan out of its state. */
export function planIn(state: number): number {
  return (state >> STATUS_BITS) & ((1 << PLAN_BITS) - 1);
}

/** Reads a SHA-256 of hexadecimal digits or bytes as eight words. */
export function hashWords(hash: string | Buffer): Int32Array {
  const bytes = typeof hash === "string" ? Buffer.from(hash, "hex") : hash;
  const words = new Int32Array(HASH_WORDS);
  for (let word = 0; word < HASH_WORDS; word++)
    words[word] = bytes.readInt32LE(word * WORD_BYTES);
  return words;
}

function statusOf({ revoked_at, suspended_at }: KeyRow): KeyStatus {
  if (revoked_at !== null) return "revoked";
  return suspended_at === null ? "active" : "suspended";
}

function endWord(place: number): number {
  return (place * ENTRY_WORDS) / 2 + END;
}

function entryBytes(level: number): number {
  return 2 ** level * ENTRY_WORDS * WORD_BYTES;
}

/** Counts the bytes up to a level of the index. All levels have less than twice the slots of the last one. */
function indexBytes(level: number): number {
  const slots = SLOTS_PER_KEY * (2 ** (level + 1) - 2 ** MIN_LEVEL);
  return HEADER_WORDS * WORD_BYTES + slots * WORD_BYTES;
}
