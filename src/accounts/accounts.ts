import { AuditLog } from "./audit.ts";
import { BillingRecords } from "./billing-records/billing-records.ts";
import type { AccountsContext } from "./context.ts";
import type { DatabasePlace, OnWait } from "./database/database.ts";
import { isPostgresql } from "./database/tables.ts";
import { openDatabase } from "./database/open-database.ts";
import { transact } from "./database/transact.ts";
import {
  installationSecret,
  type InstallationSecretName,
} from "./installation-secret.ts";
import { FleetNodes } from "./fleet/fleet-nodes.ts";
import { Publications } from "./fleet/publications.ts";
import { Keys } from "./keys/keys.ts";
import { GateKeeper, type GateKeeperOptions } from "./metering/gate-keeper.ts";
import type { Plan } from "./metering/gate.ts";
import { claimNumber, isClaimed } from "./metering/record-usage.ts";
import { purgeOldUsage, Usage } from "./metering/usage.ts";
import { PURGE_AGAIN_MS } from "./metering/usage-flusher.ts";
import { planNamed, type Plans } from "./plans.ts";
import type { Account } from "./users/account-store.ts";
import { anonymizeUsage } from "./users/anonymize-usage.ts";
import { Attempts } from "./users/attempts.ts";
import { purgeDeletedAddresses } from "./users/deleted-addresses.ts";
import { purgeExpiredUsers } from "./users/purge-expired-users.ts";
import { Users, scrub } from "./users/users.ts";

const HOUR_MS = 3_600_000;

export interface AccountsOptions extends Omit<AccountsContext, "db"> {
  /** A missing database file is created. */
  readonly place: DatabasePlace;
  readonly plans: Plans;
  readonly onWait?: OnWait;
}

/** Opens an installation's accounts. Throws AccountsDatabaseError if the database cannot be used. */
export async function openAccounts({
  onWait,
  place,
  plans,
  ...context
}: AccountsOptions): Promise<Accounts> {
  const db = await openDatabase(place, onWait);
  return new Accounts({ ...context, db }, plans);
}

/**
 * Accounts, keys and recorded usage over one connection. Changes are in force in every gate on the same database within
 * two seconds.
 */
export class Accounts implements AsyncDisposable {
  readonly users: Users;
  readonly keys: Keys;
  readonly usage: Usage;
  readonly billing: BillingRecords;
  readonly auditLog: AuditLog;
  /** Counts attempts that are limited, such as passwords. */
  readonly attempts: Attempts;
  /** The nodes over the database, if it is PostgreSQL; null for a file. */
  readonly nodes: FleetNodes | null;
  /** The publications of the fleet over the database; null for a file. */
  readonly publications: Publications | null;
  readonly #context: AccountsContext;
  readonly #plans: Plans;

  constructor(context: AccountsContext, plans: Plans) {
    this.#context = context;
    this.#plans = plans;
    this.users = new Users(context, plans);
    this.keys = new Keys(context);
    this.usage = new Usage(context);
    this.billing = new BillingRecords(context, () =>
      Promise.resolve(context.db),
    );
    this.auditLog = new AuditLog(context);
    this.attempts = new Attempts(context.db, context.clock);
    const isFleet = isPostgresql(context.db);
    this.nodes = isFleet ? new FleetNodes(context.db) : null;
    this.publications = isFleet ? new Publications(context.db) : null;
  }

  /** Starts keeping the memory of a process's gates. Rejects if the database fails. */
  keepGate(
    options: Omit<GateKeeperOptions, "clock" | "db" | "plans" | "purge">,
  ): Promise<GateKeeper> {
    const { clock, db } = this.#context;
    return GateKeeper.start({
      ...options,
      clock,
      db,
      plans: this.#plans,
      purge: (nowMs) => this.purgeHourly(nowMs),
    });
  }

  /** Returns the plan of an account. */
  planOf({ plan }: Account): Plan {
    return planNamed(this.#plans, plan);
  }

  /** Lists the plans of accounts that are no longer configured; those accounts get the free plan's limits. */
  async unconfiguredPlans(): Promise<string[]> {
    const rows = await this.#context.db
      .selectFrom("api_account")
      .select("plan")
      .distinct()
      .orderBy("plan")
      .execute();
    return rows
      .map(({ plan }) => plan)
      .filter((plan) => !this.#plans.has(plan));
  }

  /** True if the database answers. */
  isReachable(): Promise<boolean> {
    return this.unconfiguredPlans().then(
      () => true,
      () => false,
    );
  }

  /** Returns a secret that all processes over the database share; see `installationSecret`. */
  installationSecret(name: InstallationSecretName): Promise<Buffer> {
    const { db, random } = this.#context;
    return installationSecret(db, name, random);
  }

  /**
   * Cleans up, for the flusher, unless a node did so in this hour or is trying to. It reads whole tables. False if it
   * should be called again in `PURGE_AGAIN_MS`: the node that tries may fail.
   */
  async purgeHourly(nowMs: number): Promise<boolean> {
    const { db } = this.#context;
    const done = { writer: "purge", number: Math.floor(nowMs / HOUR_MS) };
    if (this.nodes !== null) {
      if (await isClaimed(db, done)) return true;
      const trying = Math.floor(nowMs / PURGE_AGAIN_MS);
      const attempt = { writer: "purging", number: trying };
      if (!(await claimNumber(db, attempt, nowMs))) return false;
    }
    await this.purge(nowMs);
    if (this.nodes !== null) await claimNumber(db, done, nowMs);
    return true;
  }

  /** Deletes what is past its retention, and what identifies deleted users. */
  async purge(nowMs: number): Promise<void> {
    const { db } = this.#context;
    await transact(db, async (all) => {
      await purgeDeletedAddresses(this.#context, all, nowMs);
      await anonymizeUsage(all, nowMs, null);
    });
    await purgeOldUsage(db, nowMs);
    await purgeExpiredUsers(db, nowMs);
    await this.nodes?.purge();
    await scrub(db);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.db.destroy();
  }
}
