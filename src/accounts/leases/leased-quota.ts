import type { BrokerClient } from "../broker/broker-client.ts";
import type { AccountTables } from "../metering/account-tables.ts";
import type { AccountHandle, QuotaTaking } from "../metering/gate.ts";
import type { QuotaCounter } from "../metering/quota-counter.ts";
import type { UsageTable } from "../metering/usage-table.ts";
import { LeaseCells, NOTHING_LEFT } from "./lease-cells.ts";
import { USED_UP_MS } from "./lease-desk.ts";
import type { LeaseOutcome, LeaseRequest } from "./lease-requests.ts";

/** Accounts remembered as used up. */
const MAX_USED_UP = 10_000;

/**
 * What happens to an account whose lease is used up while PostgreSQL is away: it waits, or is counted in memory only, so
 * that nodes together may exceed its quota.
 */
export type WhenAway = "strict" | "grace";

export interface LeasedQuotaOptions {
  readonly tables: AccountTables;
  /** The memory in which the process counts (`createUsageBuffer`). */
  readonly usage: SharedArrayBuffer;
  readonly broker: Pick<BrokerClient, "lease">;
  readonly whenAway: WhenAway;
  /** Called for each request that is refused because the database is away. */
  readonly onRefused: () => void;
}

/** Counts for one of several processes: every answer is taken from a lease (`LeaseDesk`) before it is counted. */
export class LeasedQuota implements QuotaCounter {
  readonly #options: LeasedQuotaOptions;
  readonly #cells: LeaseCells;
  /** Questions that are open, by account and month. */
  readonly #asking = new Map<string, Promise<void>>();
  readonly #usedUp = new Map<number, { quota: number; untilMs: number }>();
  #isAway = false;

  constructor(options: LeasedQuotaOptions) {
    this.#options = options;
    this.#cells = new LeaseCells(options.usage);
  }

  /** Records that the database answers. */
  noteContact(): void {
    this.#isAway = false;
  }

  remaining(account: AccountHandle, month: number): number {
    const { id, plan } = account;
    const table = this.#options.tables.of(id);
    const used = table.used(id, month, startAtZero);
    const remaining = Math.max(plan.monthlyQuota - used, 0);
    if (remaining > 0) {
      const isLeft = this.#cells.left(id, month) > 0;
      return isLeft || !this.#isUsedUp(account) ? remaining : 0;
    }
    // Usage may have been taken back, or another process's lease returned.
    if (!this.#isUsedUp(account)) void this.wait(account, month);
    return 0;
  }

  check(account: AccountHandle, month: number): QuotaTaking {
    const { id, plan } = account;
    const table = this.#options.tables.of(id);
    if (table.used(id, month, startAtZero) >= plan.monthlyQuota)
      return "used_up";
    return this.#cells.left(id, month) > 0
      ? "taken"
      : this.#withoutLease(account, table);
  }

  take(account: AccountHandle, month: number): QuotaTaking {
    const { id, plan } = account;
    const { onRefused, tables } = this.#options;
    const table = tables.of(id);
    if (table.used(id, month, startAtZero) >= plan.monthlyQuota)
      return "used_up";
    const left = this.#cells.take(id, month);
    if (left !== NOTHING_LEFT) {
      // In this order: what is noted as taken must be counted.
      table.add(id, month);
      this.#cells.noteTaken(id, month);
      if (left === this.#cells.renewAt(id)) void this.wait(account, month);
      return "taken";
    }
    const taking = this.#withoutLease(account, table);
    if (taking === "unavailable") onRefused();
    if (taking !== "taken") return taking;
    return table.count(id, month, plan.monthlyQuota, startAtZero)
      ? "taken"
      : "used_up";
  }

  /** What happens to an answer that no lease is left for. */
  #withoutLease(account: AccountHandle, table: UsageTable): QuotaTaking {
    const { tables, whenAway } = this.#options;
    // Without a place in shared memory there are no leases.
    if (!tables.isShared(table)) return "taken";
    if (this.#isAway) return whenAway === "grace" ? "taken" : "unavailable";
    return this.#isUsedUp(account) ? "used_up" : "pending";
  }

  wait(account: AccountHandle, month: number): Promise<void> {
    const { id, plan } = account;
    const { tables } = this.#options;
    // Without a place in shared memory there are no leases.
    if (!tables.isShared(tables.of(id))) return Promise.resolve();
    const name = `${id} ${month}`;
    const same = this.#asking.get(name);
    if (same !== undefined) return same;
    const { burstPerSecond, monthlyQuota: quota } = plan;
    const request = { accountId: id, month, quota, burstPerSecond };
    const asked = this.#ask(account, request).finally(() =>
      this.#asking.delete(name),
    );
    this.#asking.set(name, asked);
    return asked;
  }

  async #ask(account: AccountHandle, request: LeaseRequest): Promise<void> {
    this.#note(account, await this.#options.broker.lease(request));
  }

  #note({ id, plan }: AccountHandle, outcome: LeaseOutcome): void {
    // A request that took too long says nothing about the next one.
    if (outcome === "timed_out") return;
    this.#isAway = outcome === "unavailable";
    this.#usedUp.delete(id);
    if (outcome !== "used_up") return;
    if (this.#usedUp.size >= MAX_USED_UP) this.#usedUp.clear();
    this.#usedUp.set(id, {
      quota: plan.monthlyQuota,
      untilMs: performance.now() + USED_UP_MS,
    });
  }

  #isUsedUp({ id, plan }: AccountHandle): boolean {
    const usedUp = this.#usedUp.get(id);
    return (
      usedUp !== undefined &&
      usedUp.quota === plan.monthlyQuota &&
      performance.now() < usedUp.untilMs
    );
  }
}

/** The first lease of a month brings what others used. */
function startAtZero(): number {
  return 0;
}
