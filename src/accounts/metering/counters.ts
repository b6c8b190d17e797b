import { KeyUses } from "./key-uses.ts";
import type { Operation } from "../../contract/operation.ts";
import { createUsageBuffer, viewUsageBuffer } from "./usage-buffer.ts";
import { UsageTable } from "./usage-table.ts";

const OVERFLOW_ACCOUNTS = 4_096;

/** How many requests met a database that was away. */
export interface WithoutDatabase {
  /** Let through from memory. */
  readonly fromMemory: number;
  /** Refused, because memory did not know the key. */
  readonly refused: number;
}

/** How many there were in the process so far. */
export function withoutDatabase(usage: SharedArrayBuffer): WithoutDatabase {
  const counts = viewUsageBuffer(usage).withoutDatabase;
  return {
    fromMemory: Atomics.load(counts, 0),
    refused: Atomics.load(counts, 1),
  };
}

/** Whether what the process counts is written, rather than kept in memory until it can be. */
export function isUseWritten(usage: SharedArrayBuffer): boolean {
  return Atomics.load(viewUsageBuffer(usage).unwritable, 0) === 0;
}

/** What a thread counts in the memory of its process. */
export class Counters {
  readonly #shared: UsageTable;
  readonly #keyUses: KeyUses;
  readonly #withoutDatabase: Int32Array<SharedArrayBuffer>;
  #overflow: UsageTable | null = null;

  constructor(usage: SharedArrayBuffer) {
    this.#shared = new UsageTable(usage);
    this.#keyUses = new KeyUses(usage);
    this.#withoutDatabase = viewUsageBuffer(usage).withoutDatabase;
  }

  /**
   * The table that counts an account. When the shared one is full, an account is counted by each thread for itself,
   * from what is written: it is served, within a few times its limits, and `overflows` tells the operator.
   */
  tableOf(accountId: number): UsageTable {
    if (this.#shared.admit(accountId)) return this.#shared;
    this.#shared.noteOverflow();
    if (this.#overflow?.admit(accountId) === true) return this.#overflow;
    this.#overflow = new UsageTable(
      createUsageBuffer({ accounts: OVERFLOW_ACCOUNTS, keys: 1 }),
    );
    this.#overflow.admit(accountId);
    return this.#overflow;
  }

  /** Counts an answer to the key at a place. */
  countKey(place: number, operation: Operation): void {
    this.#keyUses.count(place, operation);
  }

  readonly placeOf = (keyId: number): number => this.#keyUses.placeOf(keyId);

  readonly noteUse = (keyId: number, second: number): void => {
    this.#keyUses.note(keyId, second);
  };

  readonly noteWithoutDatabase = (what: "from_memory" | "refused"): void => {
    Atomics.add(this.#withoutDatabase, what === "from_memory" ? 0 : 1, 1);
  };
}
