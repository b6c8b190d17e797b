import { createUsageBuffer } from "./usage-buffer.ts";
import { UsageTable } from "./usage-table.ts";

const OVERFLOW_ACCOUNTS = 4_096;

/** The tables in which a thread counts usage. */
export class AccountTables {
  readonly #shared: UsageTable;
  #overflow: UsageTable | null = null;

  constructor(usage: SharedArrayBuffer) {
    this.#shared = new UsageTable(usage);
  }

  /** Whether all threads share a table. */
  isShared(table: UsageTable): boolean {
    return table === this.#shared;
  }

  /**
   * The table that counts an account. If the shared one is full, each thread counts the account separately, starting
   * from the recorded usage. It is served within a few times its limits, and `overflows` reports it to the operator.
   */
  of(accountId: number): UsageTable {
    if (this.#shared.admit(accountId)) return this.#shared;
    this.#shared.noteOverflow();
    if (this.#overflow?.admit(accountId) === true) return this.#overflow;
    this.#overflow = new UsageTable(
      createUsageBuffer({ accounts: OVERFLOW_ACCOUNTS, keys: 1 }),
    );
    this.#overflow.admit(accountId);
    return this.#overflow;
  }
}
