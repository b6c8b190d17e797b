import type { AccountHandle, QuotaTaking } from "./gate.ts";
import type { AccountTables } from "./account-tables.ts";
import type { UsageReader } from "./usage-table.ts";

/** Counts a thread's answers against monthly quotas, all of a request's or none. Months are `Month.number`. */
export interface QuotaCounter {
  /** Answers left, as far as this process knows. */
  remaining(account: AccountHandle, month: number): number;
  /** See `Gate.takeQuota`. */
  take(account: AccountHandle, month: number, answers: number): QuotaTaking;
  /** See `Gate.giveBack`. */
  giveBack(account: AccountHandle, month: number, answers: number): void;
  /** See `Gate.awaitQuota`. */
  wait(account: AccountHandle, month: number, answers: number): Promise<void>;
}

/**
 * Counts for a process that has the database for itself: it starts from the recorded usage, and then counts in memory.
 */
export class LocalQuota implements QuotaCounter {
  readonly #tables: AccountTables;
  readonly #readUse: UsageReader;

  constructor(tables: AccountTables, readUse: UsageReader) {
    this.#tables = tables;
    this.#readUse = readUse;
  }

  remaining({ id, plan }: AccountHandle, month: number): number {
    const used = this.#tables.of(id).used(id, month, this.#readUse);
    return Math.max(plan.monthlyQuota - used, 0);
  }

  take(
    { id, plan }: AccountHandle,
    month: number,
    answers: number,
  ): QuotaTaking {
    const table = this.#tables.of(id);
    return table.count(id, month, answers, plan.monthlyQuota, this.#readUse)
      ? "taken"
      : "used_up";
  }

  giveBack({ id }: AccountHandle, month: number, answers: number): void {
    this.#tables.of(id).add(id, month, -answers);
  }

  wait(): Promise<void> {
    return Promise.resolve();
  }
}
