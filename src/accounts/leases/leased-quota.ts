import type { BrokerClient } from "../broker/broker-client.ts";
import type { AccountTables } from "../metering/account-tables.ts";
import type { AccountHandle, QuotaTaking } from "../metering/gate.ts";
import type { QuotaCounter } from "../metering/quota-counter.ts";
import type { UsageTable } from "../metering/usage-table.ts";
import { LeaseCells, TOO_FEW_LEFT } from "./lease-cells.ts";
import { USED_UP_MS, type UsedUp } from "./lease.ts";
import type { LeaseOutcome, LeaseRequest } from "./lease-requests.ts";

/** Accounts remembered as used up. */
const MAX_USED_UP = 10_000;

/**
 * What happens to an account whose lease is used up while PostgreSQL is away: it waits, or is counted in memory only,
 * so that nodes together may exceed its quota.
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
  /** Questions that are open, by account, month, and answers needed. */
  readonly #asking = new Map<string, Promise<void>>();
  readonly #usedUp = new Map<number, UsedUp>();
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
      const left = this.#cells.left(id, month);
      if (this.#isAway && this.#options.whenAway === "grace")
        return Math.max(remaining - table.leasedElsewhere(id, month), left);
      const tooMany = this.#tooMany(account);
      if (remaining < tooMany) return remaining;
      // Other processes may use what they lease.
      return tooMany > 1
        ? Math.min(remaining, Math.max(tooMany - 1, left))
        : left > 0
          ? remaining
          : 0;
    }
    this.#askAgain(account, month, 1);
    return 0;
  }

  take(account: AccountHandle, month: number, answers: number): QuotaTaking {
    const { id } = account;
    const { onRefused, tables } = this.#options;
    const table = tables.of(id);
    if (this.#exceeds(account, table, month, answers)) return "used_up";
    const left = this.#cells.take(id, month, answers);
    if (left !== TOO_FEW_LEFT) {
      // In this order: what is noted as taken must be counted.
      table.add(id, month, answers);
      this.#cells.noteTaken(id, month, answers);
      const renewAt = this.#cells.renewAt(id);
      if (left <= renewAt && left + answers > renewAt)
        void this.wait(account, month, answers);
      return "taken";
    }
    const taking = this.#withoutLease(account, month, table, answers);
    if (taking === "unavailable") onRefused();
    if (taking !== "taken") return taking;
    const limit = this.#limitWithoutLease(account, month, table);
    return table.count(id, month, answers, limit, startAtZero)
      ? "taken"
      : "used_up";
  }

  giveBack({ id }: AccountHandle, month: number, answers: number): void {
    // In this order: what is left must not be noted as taken.
    this.#cells.noteTaken(id, month, -answers);
    this.#options.tables.of(id).add(id, month, -answers);
    this.#cells.giveBack(id, month, answers);
  }

  /** Whether answers exceed the quota, as far as this process knows. */
  #exceeds(
    account: AccountHandle,
    table: UsageTable,
    month: number,
    answers: number,
  ): boolean {
    const { id, plan } = account;
    const used = table.used(id, month, startAtZero);
    if (used + answers <= plan.monthlyQuota) return false;
    if (used < plan.monthlyQuota) this.#askAgain(account, month, answers);
    return true;
  }

  /** Usage may have been taken back, or another process's lease returned. */
  #askAgain(account: AccountHandle, month: number, answers: number): void {
    if (answers < this.#tooMany(account))
      void this.wait(account, month, answers);
  }

  /** What is leased to any process is left to leases. */
  #limitWithoutLease(
    { id, plan }: AccountHandle,
    month: number,
    table: UsageTable,
  ): number {
    const leased =
      table.leasedElsewhere(id, month) + this.#cells.left(id, month);
    return plan.monthlyQuota - leased;
  }

  /** What happens to answers that no lease is left for. */
  #withoutLease(
    account: AccountHandle,
    month: number,
    table: UsageTable,
    answers: number,
  ): QuotaTaking {
    const { tables, whenAway } = this.#options;
    // Without a place in shared memory there are no leases.
    if (!tables.isShared(table)) return "taken";
    if (this.#isAway) {
      if (whenAway === "strict") return "unavailable";
      const used = table.used(account.id, month, startAtZero);
      const limit = this.#limitWithoutLease(account, month, table);
      return used + answers <= limit ? "taken" : "used_up";
    }
    return answers < this.#tooMany(account) ? "pending" : "used_up";
  }

  wait(account: AccountHandle, month: number, answers: number): Promise<void> {
    const { id, plan } = account;
    const { tables } = this.#options;
    // Without a place in shared memory there are no leases.
    if (!tables.isShared(tables.of(id))) return Promise.resolve();
    const name = `${id} ${month} ${answers}`;
    const same = this.#asking.get(name);
    if (same !== undefined) return same;
    const { burstPerSecond, monthlyQuota: quota } = plan;
    const asked = this.#ask(account, {
      accountId: id,
      month,
      quota,
      burstPerSecond,
      answers,
    }).finally(() => this.#asking.delete(name));
    this.#asking.set(name, asked);
    return asked;
  }

  async #ask(account: AccountHandle, request: LeaseRequest): Promise<void> {
    const outcome = await this.#options.broker.lease(request);
    this.#note(account, outcome, request.answers);
  }

  #note(
    { id, plan }: AccountHandle,
    outcome: LeaseOutcome,
    answers: number,
  ): void {
    // A request that took too long says nothing about the next one.
    if (outcome === "timed_out") return;
    this.#isAway = outcome === "unavailable";
    this.#usedUp.delete(id);
    if (outcome !== "used_up") return;
    if (this.#usedUp.size >= MAX_USED_UP) this.#usedUp.clear();
    this.#usedUp.set(id, {
      quota: plan.monthlyQuota,
      answers,
      untilMs: performance.now() + USED_UP_MS,
    });
  }

  /** The fewest answers that are too many for an account; Infinity if that isn't known. */
  #tooMany({ id, plan }: AccountHandle): number {
    const usedUp = this.#usedUp.get(id);
    return usedUp !== undefined &&
      usedUp.quota === plan.monthlyQuota &&
      performance.now() < usedUp.untilMs
      ? usedUp.answers
      : Infinity;
  }
}

/** The first lease of a month brings what others used. */
function startAtZero(): number {
  return 0;
}
