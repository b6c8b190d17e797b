import type { Operation } from "../../contract/operation.ts";
import type {
  AccountHandle,
  BurstRate,
  BurstState,
  ExplorerMeter,
  Gate,
  KeyVerdict,
  QuotaState,
  Viewer,
} from "./gate.ts";
import type { KeyUses } from "./key-uses.ts";
import { monthAt, type Month } from "./month.ts";
import { createUsageBuffer } from "./usage-buffer.ts";
import { UsageTable, type UsageReader } from "./usage-table.ts";

const OVERFLOW_ACCOUNTS = 4_096;

/** What a gate reads from its database. */
export interface GateSource {
  readonly keys: Pick<Gate, "verify" | "remembers">;
  readonly readUse: UsageReader;
  close(): void;
}

/** A thread's gate. It counts in the process's shared memory, and reads keys and recorded usage from its source. */
export class ThreadGate implements Gate, Disposable {
  readonly explorer: ExplorerCounts;
  readonly #tables: AccountTables;
  readonly #keyUses: KeyUses;
  readonly #source: GateSource;
  #month: Month = monthAt(0);

  constructor(tables: AccountTables, keyUses: KeyUses, source: GateSource) {
    this.explorer = new ExplorerCounts(tables);
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
    return table.takeOwnerToken(accountId, "account", rate, nowMs);
  }

  quota({ id, plan }: AccountHandle, nowMs: number): QuotaState {
    const month = this.#monthAt(nowMs);
    const used = this.#tables
      .of(id)
      .used(id, month.number, this.#source.readUse);
    return quotaIn(month, plan.monthlyQuota, used, nowMs);
  }

  takeQuota(
    { id, keyPlace, plan }: AccountHandle,
    nowMs: number,
    operation: Operation,
  ): boolean {
    const isTaken = this.#tables
      .of(id)
      .count(
        id,
        this.#monthAt(nowMs).number,
        plan.monthlyQuota,
        this.#source.readUse,
      );
    if (isTaken) this.#keyUses.count(keyPlace, operation);
    return isTaken;
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

/** Counts pages of the explorer in the process's shared memory. */
class ExplorerCounts implements ExplorerMeter {
  readonly #tables: AccountTables;

  constructor(tables: AccountTables) {
    this.#tables = tables;
  }

  takeBurst(accountId: number, rate: BurstRate, nowMs: number): BurstState {
    const table = this.#tables.of(accountId);
    return table.takeOwnerToken(accountId, "explorer", rate, nowMs);
  }

  month({ id, plan }: Viewer, nowMs: number): QuotaState | null {
    const month = monthAt(nowMs);
    const viewed = this.#tables.of(id).pages(id, month.number);
    return viewed === null
      ? null
      : quotaIn(month, plan.explorerPages, viewed, nowMs);
  }

  begin(accountId: number, viewed: number, nowMs: number): void {
    const table = this.#tables.of(accountId);
    table.beginPages(accountId, monthAt(nowMs).number, viewed);
  }

  take({ id, plan }: Viewer, nowMs: number): boolean {
    const month = monthAt(nowMs).number;
    return this.#tables.of(id).countPage(id, month, plan.explorerPages);
  }
}

/** The tables in which a thread counts usage. */
export class AccountTables {
  readonly #shared: UsageTable;
  #overflow: UsageTable | null = null;

  constructor(usage: SharedArrayBuffer) {
    this.#shared = new UsageTable(usage);
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

/** What is left of a month's limit at a time in it. */
function quotaIn(
  month: Month,
  limit: number,
  used: number,
  nowMs: number,
): QuotaState {
  return {
    limit,
    remaining: Math.max(limit - used, 0),
    resetSeconds: Math.ceil((month.endMs - nowMs) / 1000),
    resetAt: month.endMs / 1000,
    windowSeconds: (month.endMs - month.startMs) / 1000,
  };
}
