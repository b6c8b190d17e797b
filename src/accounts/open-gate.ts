import { AccountsReader } from "./accounts-reader.ts";
import type {
  AccountHandle,
  BurstState,
  Gate,
  KeyVerdict,
  Plan,
  QuotaState,
} from "./gate.ts";
import { KeyUses } from "./key-uses.ts";
import { KeyVerifier } from "./key-verifier.ts";
import { monthAt, type Month } from "./month.ts";
import { createUsageBuffer } from "./usage-buffer.ts";
import { UsageTable, type UsageReader } from "./usage-table.ts";

export interface GateOptions {
  /** The database's path; `openAccounts` has made it. */
  readonly file: string;
  readonly plans: ReadonlyMap<string, Plan>;
  /** The memory in which the process counts (`createUsageBuffer`), the same for all its gates. */
  readonly usage: SharedArrayBuffer;
}

/** Opens a thread's own gate. Throws AccountsDatabaseError when the database cannot be read. */
export function openGate({
  file,
  plans,
  usage,
}: GateOptions): Gate & Disposable {
  return new ThreadGate(new AccountsReader(file), plans, usage);
}

const OVERFLOW_ACCOUNTS = 4_096;

class ThreadGate implements Gate, Disposable {
  readonly #reader: AccountsReader;
  readonly #verifier: KeyVerifier;
  readonly #shared: UsageTable;
  readonly #readUse: UsageReader;
  #overflow: UsageTable | null = null;
  #month: Month = monthAt(0);

  constructor(
    reader: AccountsReader,
    plans: ReadonlyMap<string, Plan>,
    usage: SharedArrayBuffer,
  ) {
    const keyUses = new KeyUses(usage);
    this.#reader = reader;
    this.#shared = new UsageTable(usage);
    this.#readUse = (accountId, month) => reader.monthlyUse(accountId, month);
    this.#verifier = new KeyVerifier({
      plans,
      read: (hash) => reader.keyStanding(hash),
      noteUse: (keyId, second) => {
        keyUses.note(keyId, second);
      },
    });
  }

  verify(key: string, nowMs: number): KeyVerdict {
    return this.#verifier.verify(key, nowMs);
  }

  takeBurst({ id, plan }: AccountHandle, nowMs: number): BurstState {
    return this.#tableOf(id).takeToken(id, plan.burstPerSecond, nowMs);
  }

  quota({ id, plan }: AccountHandle, nowMs: number): QuotaState {
    const month = this.#monthAt(nowMs);
    const used = this.#tableOf(id).used(id, month.number, this.#readUse);
    return {
      limit: plan.monthlyQuota,
      remaining: Math.max(plan.monthlyQuota - used, 0),
      resetSeconds: Math.ceil((month.endMs - nowMs) / 1000),
      resetAt: month.endMs / 1000,
      windowSeconds: (month.endMs - month.startMs) / 1000,
    };
  }

  takeQuota({ id, plan }: AccountHandle, nowMs: number): boolean {
    return this.#tableOf(id).count(
      id,
      this.#monthAt(nowMs).number,
      plan.monthlyQuota,
      this.#readUse,
    );
  }

  [Symbol.dispose](): void {
    this.#reader[Symbol.dispose]();
  }

  /**
   * The table that counts an account. When the shared one is full, an account is counted by each thread for itself,
   * from what is written: it is served, within a few times its limits, and `overflows` tells the operator.
   */
  #tableOf(accountId: number): UsageTable {
    if (this.#shared.admit(accountId)) return this.#shared;
    this.#shared.noteOverflow();
    if (this.#overflow?.admit(accountId) === true) return this.#overflow;
    this.#overflow = new UsageTable(
      createUsageBuffer({ accounts: OVERFLOW_ACCOUNTS, keys: 1 }),
    );
    this.#overflow.admit(accountId);
    return this.#overflow;
  }

  #monthAt(nowMs: number): Month {
    if (nowMs < this.#month.startMs || nowMs >= this.#month.endMs)
      this.#month = monthAt(nowMs);
    return this.#month;
  }
}
