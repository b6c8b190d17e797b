import { sql, type Kysely } from "kysely";
import type { AuditAction } from "../../contract/account.ts";
import { audit } from "../audit.ts";
import {
  listSubscriptions,
  type Subscription,
} from "../billing-records/subscriptions.ts";
import type { AccountsContext } from "../context.ts";
import { type Tables, isPostgresql } from "../database/tables.ts";
import { transact } from "../database/transact.ts";
import { monthAt, monthLabel } from "../metering/month.ts";
import { DEFAULT_PLAN, type Plans } from "../plans.ts";
import {
  ACCOUNT_COLUMNS,
  accountOf,
  findAccount,
  forgetLinks,
  updateAccount,
  type Account,
} from "./account-store.ts";
import { anonymizeUsage } from "./anonymize-usage.ts";
import {
  findDeletedAddress,
  keepDeletedAddress,
  restoreDeletedAddress,
  suspendDeletedAddress,
  type DeletedAddress,
} from "./deleted-addresses.ts";
import { normalizeEmail } from "./email.ts";
import { setTimeout as sleep } from "node:timers/promises";

type NoAccount = { readonly outcome: "no_account" };
type UnknownPlan = {
  readonly outcome: "unknown_plan";
  readonly known: readonly string[];
};
type Changed = { readonly outcome: "changed"; readonly account: Account };

export interface TwoFactorOff {
  readonly outcome: "two_factor_off";
  readonly account: Account;
  /** True if it was on, or being set up. */
  readonly wasOn: boolean;
}

export type CreateAccountOutcome =
  | { readonly outcome: "created"; readonly account: Account }
  /** The address already has an account, whose plan stays as it is. */
  | { readonly outcome: "exists"; readonly account: Account }
  | { readonly outcome: "invalid_email" }
  | UnknownPlan;

export type ChangeSuspensionOutcome =
  | Changed
  | NoAccount
  /** The account was deleted; the change applies to the next one of the address. */
  | {
      readonly outcome: "changed_deleted";
      readonly email: string;
      readonly suspendedAt: number | null;
    };

export type SetPlanOutcome =
  | Changed
  | NoAccount
  | UnknownPlan
  /** The account has its plan from a running subscription. */
  | { readonly outcome: "subscribed"; readonly subscription: Subscription };

export type DeleteAccountOutcome =
  { readonly outcome: "deleted"; readonly account: Account } | NoAccount;

/** A user with a confirmed address. */
export interface VerifiedUser {
  readonly userId: string;
  /** In the form of `normalizeEmail`. */
  readonly email: string;
}

/** An account with its recorded usage in the current month. */
export interface AccountUse {
  readonly account: Account;
  readonly used: number;
}

/** A user who has not confirmed the address, and so has no account yet. */
export interface UnconfirmedUser {
  /** `user.id`. */
  readonly userId: string;
  readonly email: string;
  /** Epoch milliseconds. */
  readonly signedUpAt: number;
}

/** Accounts and their users. Each change is in the audit log. */
export class Users {
  readonly #context: AccountsContext;
  readonly #plans: Plans;

  constructor(context: AccountsContext, plans: Plans) {
    this.#context = context;
    this.#plans = plans;
  }

  /** Creates an account, unless the address has one. */
  async create(
    address: string,
    plan: string = DEFAULT_PLAN,
  ): Promise<CreateAccountOutcome> {
    if (!this.#plans.has(plan)) return this.#unknownPlan();
    const email = normalizeEmail(address);
    if (email === null) return { outcome: "invalid_email" };
    return transact(this.#context.db, async (db) => {
      const found = await findAccount(db, { email });
      if (found !== null) return { outcome: "exists", account: found };
      const account = await this.#insert(db, email, plan);
      return { outcome: "created", account };
    });
  }

  /** Finds the account of an address; null if there is none. */
  async find(address: string): Promise<Account | null> {
    const email = normalizeEmail(address);
    return email === null ? null : findAccount(this.#context.db, { email });
  }

  /** Finds the unconfirmed user of an address, who has no account yet; null if there is none. */
  async findUnconfirmed(address: string): Promise<UnconfirmedUser | null> {
    const email = normalizeEmail(address);
    return email === null ? null : findUnconfirmed(this.#context.db, email);
  }

  /** Finds what is kept of the deleted account of an address; null if nothing is. */
  async findDeleted(address: string): Promise<DeletedAddress | null> {
    const email = normalizeEmail(address);
    if (email === null) return null;
    return transact(this.#context.db, (db) =>
      findDeletedAddress(this.#context, db, email),
    );
  }

  /** Lists all accounts with their usage in the current month, by address. */
  async list(): Promise<AccountUse[]> {
    const { clock, db } = this.#context;
    const rows = await db
      .selectFrom("api_account")
      .leftJoin("api_usage", (join) =>
        join
          .onRef("api_usage.account_id", "=", "api_account.id")
          .on("api_usage.month", "=", monthLabel(monthAt(clock()).number)),
      )
      .select([...ACCOUNT_COLUMNS, "used"])
      .orderBy("email")
      .execute();
    return rows.map(({ used, ...account }) => ({ account, used: used ?? 0 }));
  }

  /**
   * Returns the account of a confirmed user: the one of the address, or if there is none, a new one on the free plan.
   */
  accountOf({ email, userId }: VerifiedUser): Promise<Account> {
    return transact(this.#context.db, async (db) => {
      const own = await findAccount(db, { user_id: userId });
      if (own !== null) return own;
      const waiting = await findAccount(db, { email });
      if (waiting !== null) {
        await audit(this.#context, db, "account_claimed", waiting.id);
        return updateAccount(db, waiting.id, { user_id: userId });
      }
      return this.#insert(db, email, DEFAULT_PLAN, userId);
    });
  }

  /**
   * Changes an account's plan. An account with a running subscription keeps its plan unless `despiteSubscription`. In
   * that case the subscription continues, and takes the plan away again only if it is the one that it pays for.
   */
  async setPlan(
    address: string,
    plan: string,
    { despiteSubscription = false }: { despiteSubscription?: boolean } = {},
  ): Promise<SetPlanOutcome> {
    if (!this.#plans.has(plan)) return this.#unknownPlan();
    return this.#ofAddress(address, async (db, account) => {
      const subscriptions = await listSubscriptions(db, account.id);
      const subscription = subscriptions.find(({ runs }) => runs);
      return subscription !== undefined && !despiteSubscription
        ? { outcome: "subscribed", subscription }
        : this.#change(db, account, "plan_set", { plan });
    });
  }

  /**
   * Suspends an account: all its keys are refused until it is resumed. For an unconfirmed or deleted address, suspends
   * the next account.
   */
  suspend(address: string): Promise<ChangeSuspensionOutcome> {
    return this.#changeSuspension(address, this.#context.clock());
  }

  resume(address: string): Promise<ChangeSuspensionOutcome> {
    return this.#changeSuspension(address, null);
  }

  /** Turns two-factor authentication off for a user who has lost the app and all recovery codes. */
  disableTwoFactor(address: string): Promise<TwoFactorOff | NoAccount> {
    return this.#ofAddress(address, async (db, account) => {
      const { userId } = account;
      if (userId === null)
        return { outcome: "two_factor_off", account, wasOn: false };
      const removed = await db
        .deleteFrom("twoFactor")
        .where("userId", "=", userId)
        .returning("id")
        .execute();
      await db
        .updateTable("user")
        .set({ twoFactorEnabled: sql.lit(false) })
        .where("id", "=", userId)
        .execute();
      // Also voids trusted devices and sign-ins that wait for a code.
      await forgetLinks(db, userId);
      const wasOn = removed.length > 0;
      if (wasOn)
        await audit(this.#context, db, "two_factor_disabled", account.id);
      return { outcome: "two_factor_off", account, wasOn };
    });
  }

  /** Deletes an account with its keys and all personal data; see `keepDeletedAddress` for what stays. */
  async delete(address: string): Promise<DeleteAccountOutcome> {
    const context = this.#context;
    const done = await this.#ofAddress(
      address,
      async (db, account): Promise<DeleteAccountOutcome> => {
        await keepDeletedAddress(context, db, account);
        await deleteAccount(db, account, context.clock());
        await audit(context, db, "account_deleted", account.id);
        return { outcome: "deleted", account };
      },
    );
    if (done.outcome === "deleted") await scrub(context.db);
    return done;
  }

  /** Deletes the unconfirmed user of an address and returns it; null if there is none. */
  async removeSignUp(address: string): Promise<UnconfirmedUser | null> {
    const email = normalizeEmail(address);
    if (email === null) return null;
    const removed = await transact(this.#context.db, async (db) => {
      const user = await findUnconfirmed(db, email);
      if (user === null) return null;
      // The mailed link then no longer works.
      await deleteUser(db, user.userId);
      await audit(this.#context, db, "sign_up_removed", null);
      return user;
    });
    if (removed !== null) await scrub(this.#context.db);
    return removed;
  }

  async #changeSuspension(
    address: string,
    suspendedAt: number | null,
  ): Promise<ChangeSuspensionOutcome> {
    const email = normalizeEmail(address);
    if (email === null) return { outcome: "no_account" };
    return transact(this.#context.db, async (db) => {
      const account =
        (await findAccount(db, { email })) ??
        (suspendedAt === null ? null : await this.#confirmedLater(db, email));
      if (account === null)
        return (await suspendDeletedAddress(
          this.#context,
          db,
          email,
          suspendedAt,
        ))
          ? { outcome: "changed_deleted", email, suspendedAt }
          : { outcome: "no_account" };
      const action =
        suspendedAt === null ? "account_resumed" : "account_suspended";
      return this.#change(db, account, action, { suspended_at: suspendedAt });
    });
  }

  /** Creates the account that an unconfirmed user will get; null without such a user. */
  async #confirmedLater(
    db: Kysely<Tables>,
    email: string,
  ): Promise<Account | null> {
    if ((await findUnconfirmed(db, email)) === null) return null;
    return this.#insert(db, email, DEFAULT_PLAN);
  }

  /** Runs `act` with the account of an address, in one transaction. */
  async #ofAddress<Outcome>(
    address: string,
    act: (db: Kysely<Tables>, account: Account) => Promise<Outcome>,
  ): Promise<Outcome | NoAccount> {
    const email = normalizeEmail(address);
    if (email === null) return { outcome: "no_account" };
    return transact(this.#context.db, async (db) => {
      const account = await findAccount(db, { email });
      return account === null ? { outcome: "no_account" } : act(db, account);
    });
  }

  /** Changes an account and records it, in the transaction `db`. */
  async #change(
    db: Kysely<Tables>,
    before: Account,
    action: AuditAction,
    change: { plan: string } | { suspended_at: number | null },
  ): Promise<Changed> {
    const account = await updateAccount(db, before.id, change);
    const detail =
      "plan" in change ? `from ${before.plan} to ${change.plan}` : "";
    await audit(this.#context, db, action, account.id, detail);
    return { outcome: "changed", account };
  }

  /**
   * Creates the account of a normalized address without one: with what the last one used this month, and suspended if
   * that one was.
   */
  async #insert(
    db: Kysely<Tables>,
    email: string,
    plan: string,
    /** The user whose account it is; null if an operator creates it. */
    userId: string | null = null,
  ): Promise<Account> {
    const row = await db
      .insertInto("api_account")
      .values({
        email,
        plan,
        created_at: this.#context.clock(),
        suspended_at: null,
        user_id: userId,
      })
      .returning(ACCOUNT_COLUMNS)
      .executeTakeFirstOrThrow();
    await audit(this.#context, db, "account_created", row.id, plan);
    return restoreDeletedAddress(this.#context, db, accountOf(row));
  }

  #unknownPlan(): UnknownPlan {
    return { outcome: "unknown_plan", known: [...this.#plans.keys()] };
  }
}

/** Deletes an account, its keys and its users. Its usage is added to the anonymous sums of deleted accounts. */
async function deleteAccount(
  db: Kysely<Tables>,
  { email, id, userId }: Account,
  nowMs: number,
): Promise<void> {
  await anonymizeUsage(db, nowMs, id);
  for (const table of [
    "api_key",
    "api_subscription",
    "api_billing_customer",
  ] as const)
    await db.deleteFrom(table).where("account_id", "=", id).execute();
  // With those who signed up with its address.
  const users = await db
    .selectFrom("user")
    .select("id")
    .where((where) =>
      where.or([where("id", "=", userId), where("email", "=", email)]),
    )
    .execute();
  for (const user of users) await deleteUser(db, user.id);
  await db.deleteFrom("api_account").where("id", "=", id).execute();
}

/** Deletes a user (`user.id`) with all sessions and mailed links. */
export async function deleteUser(
  db: Kysely<Tables>,
  userId: string,
): Promise<void> {
  await forgetLinks(db, userId);
  await db.deleteFrom("user").where("id", "=", userId).execute();
}

/** Finds the user who signed up with a normalized address and has not confirmed it; null without one. */
export async function findUnconfirmed(
  db: Kysely<Tables>,
  email: string,
): Promise<UnconfirmedUser | null> {
  const found = await db
    .selectFrom("user")
    .select(["id", "createdAt", "emailVerified"])
    .where("email", "=", email)
    .executeTakeFirst();
  if (found === undefined || Boolean(found.emailVerified)) return null;
  const signedUpAt = new Date(found.createdAt).getTime();
  return { userId: found.id, email, signedUpAt };
}

/** Waits half a second for readers that still need what was deleted. */
const ATTEMPTS = 25;
const PAUSE_MS = 20;

/**
 * Removes deleted bytes from the database, after the transaction that deleted them. SQLite overwrites them
 * (`secure_delete`), and the write-ahead log with the older pages is truncated. PostgreSQL vacuums dead rows, whose
 * space is then reused. If that fails now, the hourly clean-up or the server does it.
 */
export async function scrub(db: Kysely<Tables>): Promise<void> {
  if (isPostgresql(db)) {
    const vacuum = sql`VACUUM "user", session, account, "twoFactor", verification, api_account, api_key, api_billing_customer, api_subscription`;
    await vacuum.execute(db).catch(() => undefined);
    return;
  }
  for (let attempts = 1; attempts <= ATTEMPTS; attempts++) {
    const checkpoint = sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`;
    const done = await checkpoint.execute(db).catch(() => null);
    if (done?.rows[0]?.busy === 0) return;
    await sleep(PAUSE_MS);
  }
}
