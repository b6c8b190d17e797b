import { OPERATIONS } from "../../contract/operation.ts";
import {
  createKeyTableMemory,
  type KeyTableMemory,
} from "../keys/key-table.ts";
import type { SharedIndexMemory } from "./shared-index.ts";

/** The numbers of accounts and keys that one process can count in its lifetime. */
export interface GateCapacity {
  readonly accounts: number;
  readonly keys: number;
}

/** The memory that the gates of a process share; the supervisor creates it and passes it to every worker. */
export interface GateMemory {
  readonly keys: KeyTableMemory;
  readonly counts: SharedArrayBuffer;
}

/** Memory is used only as places are assigned: 132 bytes an account, 32 a key, and up to 16 MB for the two indexes. */
const DEFAULT_CAPACITY: GateCapacity = { accounts: 1 << 20, keys: 1 << 20 };

/** The 32-bit words of an account's record: two cache lines, so that accounts do not slow each other down. */
export const RECORD_WORDS = 32;

/** The cells by which the supervisor and the threads tell each other something. */
export const SIGNALS = {
  /** Readings of keys that were started, and the number of the last one that ended, whether it succeeded or not. */
  readingsStarted: 0,
  readingsEnded: 1,
  /** Changes when a thread wants keys to be read. */
  keysBell: 2,
  /** Changes when a thread wants quota for an account. */
  quotaBell: 3,
  /** 1 while keys can't be read, and while quota can't be prepaid, because the database is away. */
  keysAway: 4,
  quotaAway: 5,
  /** 1 while usage can't be written. */
  unwritable: 6,
  /** The number of times that an account found no place. */
  overflows: 7,
  /** Requests during an outage of the database: accepted from memory, and refused. */
  fromMemory: 8,
  refused: 9,
  /** The time when the last reading of keys that succeeded began (`machineMs`). */
  keysReadAt: 10,
} as const;

/** The shared counts as typed arrays. */
export interface GateCounts {
  readonly accounts: SharedIndexMemory;
  readonly keys: SharedIndexMemory;
  /** By `SIGNALS`. */
  readonly signals: Int32Array<SharedArrayBuffer>;
  /** One element: until when all changes of keys are known, in epoch milliseconds; 0 at first. */
  readonly keysAsOf: BigInt64Array<SharedArrayBuffer>;
  /** RECORD_WORDS per account, as 64-bit words and as 32-bit words. */
  readonly records: BigInt64Array<SharedArrayBuffer>;
  readonly recordWords: Int32Array<SharedArrayBuffer>;
  /** A bit per account: threads want quota for it. */
  readonly wanting: Int32Array<SharedArrayBuffer>;
  /** Per key: when it was last used, in epoch seconds; 0 once that is written. */
  readonly lastUsed: Uint32Array<SharedArrayBuffer>;
  /** Per key: answers counted and not yet taken, by operation in the order of `OPERATIONS`. */
  readonly counts: Int32Array<SharedArrayBuffer>;
}

const HEADER_BYTES = 128;
const ACCOUNT_CAPACITY = 16;
const KEY_CAPACITY = 17;
const ACCOUNT_COUNT = 18;
const KEY_COUNT = 19;
const KEYS_AS_OF_BYTES = 96;

/** Creates the memory of a process's gates. */
export function createGateMemory(
  capacity: Partial<GateCapacity> = {},
): GateMemory {
  const { accounts, keys } = { ...DEFAULT_CAPACITY, ...capacity };
  if (!isCapacity(accounts) || !isCapacity(keys))
    throw new RangeError("The capacity must be a whole number from 1 to 2^26");
  const counts = new SharedArrayBuffer(layOut(accounts, keys).bytes);
  const header = new Int32Array(counts, 0, HEADER_BYTES / 4);
  header[ACCOUNT_CAPACITY] = accounts;
  header[KEY_CAPACITY] = keys;
  return { keys: createKeyTableMemory(), counts };
}

/** Views the counts of a process's gates. */
export function viewCounts({ counts: buffer }: GateMemory): GateCounts {
  const header = new Int32Array(buffer, 0, HEADER_BYTES / 4);
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
    signals: header,
    keysAsOf: new BigInt64Array(buffer, KEYS_AS_OF_BYTES, 1),
    records: new BigInt64Array(
      buffer,
      at.records,
      (accounts * RECORD_WORDS) / 2,
    ),
    recordWords: new Int32Array(buffer, at.records, accounts * RECORD_WORDS),
    wanting: new Int32Array(buffer, at.wanting, Math.ceil(accounts / 32)),
    lastUsed: new Uint32Array(buffer, at.lastUsed, keys),
    counts: new Int32Array(buffer, at.counts, keys * OPERATIONS.length),
  };
}

/** Requests during outages of the database. */
export interface WithoutDatabase {
  /** Accepted from memory. */
  readonly fromMemory: number;
  /** Refused because memory did not know the key. */
  readonly refused: number;
}

/** Reads the process's totals so far. */
export function withoutDatabase(memory: GateMemory): WithoutDatabase {
  const { signals } = viewCounts(memory);
  return {
    fromMemory: Atomics.load(signals, SIGNALS.fromMemory),
    refused: Atomics.load(signals, SIGNALS.refused),
  };
}

/** True if usage is written; false while it waits in memory. */
export function isUseWritten(memory: GateMemory): boolean {
  return Atomics.load(viewCounts(memory).signals, SIGNALS.unwritable) === 0;
}

/**
 * Returns the milliseconds since this machine started, the same in all threads whatever the clock says, in 32 bits: a
 * difference is right for three weeks.
 */
export function machineMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return (seconds * 1000 + nanoseconds / 1_000_000) | 0;
}

/** Waits until a cell no longer has a value, at most for some milliseconds. Does not keep the thread alive. */
export async function changeOf(
  cells: Int32Array<SharedArrayBuffer>,
  cell: number,
  value: number,
  withinMs: number,
): Promise<void> {
  const waiting = Atomics.waitAsync(cells, cell, value, withinMs);
  if (waiting.async) await waiting.value;
}

/** Waits as `changeOf` does, and keeps the thread alive. */
export async function changeWithin(
  cells: Int32Array<SharedArrayBuffer>,
  cell: number,
  value: number,
  withinMs: number,
): Promise<void> {
  const timer = setTimeout(() => undefined, withinMs);
  await changeOf(cells, cell, value, withinMs);
  clearTimeout(timer);
}

function layOut(accounts: number, keys: number) {
  const records = HEADER_BYTES;
  const wanting = records + accounts * RECORD_WORDS * 4;
  const accountSlots = wanting + Math.ceil(accounts / 32) * 4;
  const accountIds = accountSlots + slotsFor(accounts) * 4;
  const keySlots = accountIds + accounts * 4;
  const keyIds = keySlots + slotsFor(keys) * 4;
  const lastUsed = keyIds + keys * 4;
  const counts = lastUsed + keys * 4;
  return {
    records,
    wanting,
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
