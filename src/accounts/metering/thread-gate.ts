import type { AccountTables } from "./account-tables.ts";
import type { Operation } from "../../contract/operation.ts";
import type {
  AccountHandle,
  BurstRate,
  BurstState,
  Gate,
  KeyVerdict,
  QuotaState,
  QuotaTaking,
} from "./gate.ts";
import type { KeyUses } from "./key-uses.ts";
import { monthAt, type Month } from "./month.ts";
import type { QuotaCounter } from "./quota-counter.ts";

/** What a gate reads from its database. */
export interface GateSource {
  readonly keys: Pick<Gate, "verify" | "remembers">;
  readonly quota: QuotaCounter;
  close(): void;
}

/** A thread's gate. It counts in the process's shared memory, and reads keys and recorded usage from its source. */
export class ThreadGate implements Gate, Disposable {
  readonly #tables: AccountTables;
  readonly #keyUses: KeyUses;
  readonly #source: GateSource;
  #month: Month = monthAt(0);

  constructor(tables: AccountTables, keyUses: KeyUses, source: GateSource) {
    this.#tables = tables;
    this.#keyUses = keyUses;
    this.#source = source;
  }

  verify(key: string, nowMs: number): KeyVerdict {
    return this.#source.keys.verify(key, nowMs);
  }

  remembers(key: string): boolean {
    return this.#source.keys.remembers(key);
  }

  takeBurst({ id, plan }: AccountHandle, nowMs: number): BurstState {
    return this.#tables.of(id).takeToken(id, plan.burstPerSecond, nowMs);
  }

  takeOwnerBurst(
    accountId: number,
    rate: BurstRate,
    nowMs: number,
  ): BurstState {
    const table = this.#tables.of(accountId);
    return table.takeOwnerToken(accountId, rate, nowMs);
  }

  quota(account: AccountHandle, nowMs: number): QuotaState {
    const month = this.#monthAt(nowMs);
    const remaining = this.#source.quota.remaining(account, month.number);
    return quotaIn(month, account.plan.monthlyQuota, remaining, nowMs);
  }

  takeQuota(
    account: AccountHandle,
    nowMs: number,
    operation: Operation,
    answers = 1,
  ): QuotaTaking {
    const month = this.#monthAt(nowMs).number;
    const taking = this.#source.quota.take(account, month, answers);
    if (taking === "taken")
      this.#keyUses.count(account.keyPlace, operation, answers);
    return taking;
  }

  giveBack(
    account: AccountHandle,
    nowMs: number,
    operation: Operation,
    answers: number,
  ): void {
    const month = this.#monthAt(nowMs).number;
    this.#source.quota.giveBack(account, month, answers);
    this.#keyUses.count(account.keyPlace, operation, -answers);
  }

  awaitQuota(
    account: AccountHandle,
    nowMs: number,
    answers = 1,
  ): Promise<void> {
    const month = this.#monthAt(nowMs).number;
    return this.#source.quota.wait(account, month, answers);
  }

  [Symbol.dispose](): void {
    this.#source.close();
  }

  #monthAt(nowMs: number): Month {
    if (nowMs < this.#month.startMs || nowMs >= this.#month.endMs)
      this.#month = monthAt(nowMs);
    return this.#month;
  }
}

/** What is left of a month's limit, at a time in the month. */
function quotaIn(
  month: Month,
  limit: number,
  remaining: number,
  nowMs: number,
): QuotaState {
  return {
    limit,
    remaining,
    resetSeconds: Math.ceil((month.endMs - nowMs) / 1000),
    resetAt: month.endMs / 1000,
    windowSeconds: (month.endMs - month.startMs) / 1000,
  };
}
