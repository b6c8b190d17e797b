import { OPERATIONS } from "../../contract/operation.ts";
import type { SharedIndexMemory } from "./shared-index.ts";

/** How many accounts and keys one process can count in its lifetime. */
export interface UsageCapacity {
  readonly accounts: number;
  readonly keys: number;
}

/** Memory is used only as places are assigned: 144 bytes an account, 32 a key, and up to 16 MB for the two indexes. */
const DEFAULT_CAPACITY: UsageCapacity = { accounts: 1 << 20, keys: 1 << 20 };

/**
 * 64-bit words of an account's record: two cache lines, so that accounts do not slow each other down. Keys need one.
 */
export const RECORD_WORDS = 16;

/** The buffer as typed arrays over one SharedArrayBuffer. */
export interface UsageMemory {
  readonly accounts: SharedIndexMemory;
  readonly keys: SharedIndexMemory;
  /** RECORD_WORDS per account. */
  readonly records: BigInt64Array<SharedArrayBuffer>;
  /** Per account: what other processes had leased of its quota when the database last said so (`packCount`). */
  readonly leasedElsewhere: BigInt64Array<SharedArrayBuffer>;
  /** Per key: when it was last used, in epoch seconds; 0 once that is written. */
  readonly lastUsed: Uint32Array<SharedArrayBuffer>;
  /** Per key: answers counted and not yet taken, by operation in the order of `OPERATIONS`. */
  readonly counts: Int32Array<SharedArrayBuffer>;
  /** One element: how many times an account found no place. */
  readonly overflows: Int32Array<SharedArrayBuffer>;
  /** Requests during an outage of the database: accepted from memory, and refused. */
  readonly withoutDatabase: Int32Array<SharedArrayBuffer>;
  /** One element: 1 while counts cannot be written. */
  readonly unwritable: Int32Array<SharedArrayBuffer>;
}

const LAYOUT_VERSION = 0x75736734;
const HEADER_BYTES = 64;
const VERSION = 0;
const ACCOUNT_CAPACITY = 1;
const KEY_CAPACITY = 2;
const ACCOUNT_COUNT = 3;
const KEY_COUNT = 4;
const OVERFLOWS = 5;
const WITHOUT_DATABASE = 6;
const UNWRITABLE = 8;

/** The memory in which all threads of a process count; created by the supervisor and passed to every worker. */
export function createUsageBuffer(
  capacity: Partial<UsageCapacity> = {},
): SharedArrayBuffer {
  const { accounts, keys } = { ...DEFAULT_CAPACITY, ...capacity };
  if (!isCapacity(accounts) || !isCapacity(keys))
    throw new RangeError("The capacity must be a whole number from 1 to 2^26");
  const buffer = new SharedArrayBuffer(layOut(accounts, keys).bytes);
  const header = new Int32Array(buffer, 0, HEADER_BYTES / 4);
  header[VERSION] = LAYOUT_VERSION;
  header[ACCOUNT_CAPACITY] = accounts;
  header[KEY_CAPACITY] = keys;
  return buffer;
}

/** The typed arrays over a buffer from `createUsageBuffer`. */
export function viewUsageBuffer(buffer: SharedArrayBuffer): UsageMemory {
  const header = new Int32Array(buffer, 0, HEADER_BYTES / 4);
  if (header[VERSION] !== LAYOUT_VERSION)
    throw new Error("The buffer is not from createUsageBuffer");
  const accounts = header[ACCOUNT_CAPACITY]!;
  const keys = header[KEY_CAPACITY]!;
  const at = layOut(accounts, keys);
  return {
    accounts: {
      slots: new Int32Array(buffer, at.accountSlots, slotsFor(accounts)),
      ids: new Int32Array(buffer, at.accountIds, accounts),
      count: header.subarray(ACCOUNT_COUNT, ACCOUNT_COUNT + 1),
    },
    keys: {
      slots: new Int32Array(buffer, at.keySlots, slotsFor(keys)),
      ids: new Int32Array(buffer, at.keyIds, keys),
      count: header.subarray(KEY_COUNT, KEY_COUNT + 1),
    },
    records: new BigInt64Array(buffer, at.records, accounts * RECORD_WORDS),
    leasedElsewhere: new BigInt64Array(buffer, at.leasedElsewhere, accounts),
    lastUsed: new Uint32Array(buffer, at.lastUsed, keys),
    counts: new Int32Array(buffer, at.counts, keys * OPERATIONS.length),
    overflows: header.subarray(OVERFLOWS, OVERFLOWS + 1),
    withoutDatabase: header.subarray(WITHOUT_DATABASE, WITHOUT_DATABASE + 2),
    unwritable: header.subarray(UNWRITABLE, UNWRITABLE + 1),
  };
}

/** Requests during outages of the database. */
export interface WithoutDatabase {
  /** Accepted from memory. */
  readonly fromMemory: number;
  /** Refused because memory did not know the key. */
  readonly refused: number;
}

/** The process's totals so far. */
export function withoutDatabase(usage: SharedArrayBuffer): WithoutDatabase {
  const counts = viewUsageBuffer(usage).withoutDatabase;
  return {
    fromMemory: Atomics.load(counts, 0),
    refused: Atomics.load(counts, 1),
  };
}

/** Whether counts are being written; false while they wait in memory. */
export function isUseWritten(usage: SharedArrayBuffer): boolean {
  return Atomics.load(viewUsageBuffer(usage).unwritable, 0) === 0;
}

/** Counts a request during an outage of the database. */
export function noteWithoutDatabase(
  { withoutDatabase: counts }: UsageMemory,
  what: "from_memory" | "refused",
): void {
  Atomics.add(counts, what === "from_memory" ? 0 : 1, 1);
}

function layOut(accounts: number, keys: number) {
  const records = HEADER_BYTES;
  const leasedElsewhere = records + accounts * RECORD_WORDS * 8;
  const accountSlots = leasedElsewhere + accounts * 8;
  const accountIds = accountSlots + slotsFor(accounts) * 4;
  const keySlots = accountIds + accounts * 4;
  const keyIds = keySlots + slotsFor(keys) * 4;
  const lastUsed = keyIds + keys * 4;
  const counts = lastUsed + keys * 4;
  return {
    records,
    leasedElsewhere,
    accountSlots,
    accountIds,
    keySlots,
    keyIds,
    lastUsed,
    counts,
    bytes: counts + keys * OPERATIONS.length * 4,
  };
}

function slotsFor(capacity: number): number {
  return 2 ** Math.ceil(Math.log2(capacity * 2));
}

function isCapacity(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= 1 << 26;
}
