import {
  findAccount,
  forgetLinks,
  listAccounts,
  plansInUse,
  type Account,
  type AccountUse,
} from "./users/account-store.ts";
import type { Random } from "./keys/api-key.ts";
import { deleteAccount, removeSignUp } from "./users/delete-account.ts";
import type {
  ChangeAccountOutcome,
  ChangeSuspensionOutcome,
  CreateAccountOutcome,
  DeleteAccountOutcome,
  SetPlanOutcome,
  UnknownPlan,
} from "./users/account-outcomes.ts";
import { Attempts, type Attempt, type AttemptLimit } from "./users/attempts.ts";
import {
  listAudit,
  pageOfAudit,
  type AuditEntry,
  type AuditPage,
} from "./audit.ts";
import { customerOfAccount } from "./billing-records/billing-customers.ts";
import type { DatabasePlace } from "./database/database.ts";
import {
  findKept,
  forgetKept,
  type KeptAddress,
} from "./users/deleted-addresses.ts";
import { normalizeEmail } from "./users/email.ts";
import type { Plan } from "./metering/gate.ts";
import type { KeyEnd } from "./keys/key-end.ts";
import {
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
  takeBackKey,
  type CreateKeyOutcome,
  type KeyScope,
  type ListKeysOutcome,
  type RevokeKeyOutcome,
  type RotateKeyOutcome,
} from "./keys/key-operations.ts";
import {
  installationSecret,
  type InstallationSecretName,
} from "./installation-secret.ts";
import type { Overlap } from "../contract/key-limits.ts";
import {
  countKeys,
  listKeys as listStoredKeys,
  type KeyRecord,
} from "./keys/key-store.ts";
import { changeAccount, changeSuspension } from "./users/change-account.ts";
import { createAccount } from "./users/create-account.ts";
import type { Ledger } from "./context.ts";
import { monthAt, monthLabel } from "./metering/month.ts";
import {
  boundSessions,
  boundUnverified,
  forgetOldPeople,
} from "./users/purge-expired-users.ts";
import { addToNobodys } from "./users/anonymize-usage.ts";
import { openDatabase } from "./database/open-database.ts";
import type { Page } from "./page.ts";
import {
  accountOfPerson,
  type VerifiedPerson,
} from "./users/person-account.ts";
import { DEFAULT_PLAN, planNamed, type Plans } from "./plans.ts";
import {
  listSubscriptions,
  runningSubscription,
  type Subscription,
} from "./billing-records/subscription-store.ts";
import { scrub } from "./users/scrub.ts";
import { transact } from "./database/transact.ts";
import {
  forgetOldUsage,
  recordUsage,
  type UsageBatch,
  type WrittenUsage,
} from "./metering/usage-batch.ts";
import { disableTwoFactor } from "./users/two-factor.ts";
import {
  findUnconfirmed,
  type UnconfirmedPerson,
} from "./users/unconfirmed-users.ts";
import { selectMonthlyUse } from "./metering/usage-store.ts";
import {
  countUsageByDay,
  usageByDay,
  type UsageOfDay,
} from "./metering/usage-by-day.ts";

export interface AccountsOptions {
  /** A database file is made when it is not there. */
  readonly place: DatabasePlace;
  readonly plans: Plans;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly random: Random;
  /** Who is at work, for the audit log. */
  readonly actor: string;
}

/** Opens the accounts of an installation. Throws AccountsDatabaseError when its database cannot be used. */
export async function openAccounts({
  place,
  plans,
  clock,
  random,
  actor,
}: AccountsOptions): Promise<Accounts> {
  const db = await openDatabase(place);
  return new Accounts({ db, clock, random, actor }, plans);
}

/**
 * Accounts, keys and written usage, for the command line and the supervisor. What changes here is in force in every
 * gate over the same database within five seconds, and stands in the audit log.
 */
export class Accounts implements AsyncDisposable {
  /** What may be tried so often only. */
  readonly attempts: Attempts;
  readonly #ledger: Ledger;
  readonly #plans: Plans;

  constructor(ledger: Ledger, plans: Plans) {
    this.#ledger = ledger;
    this.attempts = new Attempts(ledger.db, ledger.clock);
    this.#plans = plans;
  }

  /** Makes an account, unless the address (`normalizeEmail`) has one. */
  async createAccount(
    address: string,
    plan: string = DEFAULT_PLAN,
  ): Promise<CreateAccountOutcome> {
    if (!this.#plans.has(plan)) return this.#unknownPlan();
    return createAccount(this.#ledger, address, plan);
  }

  /** The account of an address, null when there is none. */
  async findAccount(address: string): Promise<Account | null> {
    const email = normalizeEmail(address);
    return email === null ? null : findAccount(this.#ledger.db, email);
  }

  /** Who signed up with an address, which has no account for it is not confirmed; null when nobody did. */
  async findUnconfirmed(address: string): Promise<UnconfirmedPerson | null> {
    const email = normalizeEmail(address);
    return email === null ? null : findUnconfirmed(this.#ledger.db, email);
  }

  /** The account of a person who has proved to own an address: the one that is there for it, else a new one on the free plan. */
  accountOfPerson(person: VerifiedPerson): Promise<Account> {
    return accountOfPerson(this.#ledger, person);
  }

  /** Forgets the oldest sign-ups of which too many wait to be confirmed. */
  boundSignUps(): Promise<void> {
    return boundUnverified(this.#ledger.db);
  }

  /** Ends the sessions of a person that are too many. */
  boundSessions(userId: string): Promise<void> {
    return boundSessions(this.#ledger.db, userId);
  }

  /** Counts an attempt; see `Attempts.take`. */
  takeAttempt(attempt: Attempt, limit: AttemptLimit): Promise<number> {
    return this.attempts.take(attempt, limit);
  }

  /** Makes the links void that a person was mailed for a new password. */
  forgetLinks(userId: string): Promise<void> {
    return forgetLinks(this.#ledger.db, userId);
  }

  /** All accounts with what they used in the current month, by address. */
  listAccounts(): Promise<AccountUse[]> {
    return listAccounts(this.#ledger.db, this.#month());
  }

  /**
   * Gives an account another plan. One that pays by a running subscription keeps its plan unless `despiteSubscription`;
   * then the subscription goes on, and takes the plan away again only if it is the one that it pays for.
   */
  async setPlan(
    address: string,
    plan: string,
    { despiteSubscription = false }: { despiteSubscription?: boolean } = {},
  ): Promise<SetPlanOutcome> {
    if (!this.#plans.has(plan)) return this.#unknownPlan();
    const email = normalizeEmail(address);
    if (email === null) return { outcome: "no_account" };
    return transact(this.#ledger.db, async (db) => {
      const account = await findAccount(db, email);
      if (account === null) return { outcome: "no_account" };
      const subscription = await runningSubscription(db, account.id);
      return subscription !== null && !despiteSubscription
        ? { outcome: "subscribed", subscription }
        : changeAccount(this.#ledger, db, account, "plan_set", { plan });
    });
  }

  /** The subscriptions of an account, the newest news first; of most accounts none. */
  subscriptions(accountId: number): Promise<Subscription[]> {
    return listSubscriptions(this.#ledger.db, accountId);
  }

  /** The payment service's customer (`cus_…`) of an account, null for one that never began to pay. */
  billingCustomer(accountId: number): Promise<string | null> {
    return customerOfAccount(this.#ledger.db, accountId);
  }

  /** Refuses all keys of an account until it is resumed; of who has not confirmed the address, or deleted the account, those to come. */
  suspend(address: string): Promise<ChangeSuspensionOutcome> {
    return changeSuspension(this.#ledger, address, this.#ledger.clock());
  }

  resume(address: string): Promise<ChangeSuspensionOutcome> {
    return changeSuspension(this.#ledger, address, null);
  }

  /** Switches the second factor of an account's person off, for those who have lost it and all recovery codes. */
  disableTwoFactor(address: string): Promise<ChangeAccountOutcome> {
    return disableTwoFactor(this.#ledger, address);
  }

  /** What is kept of the account of an address that was deleted, null where nothing is. */
  async findDeleted(address: string): Promise<KeptAddress | null> {
    const email = normalizeEmail(address);
    if (email === null) return null;
    return transact(this.#ledger.db, (db) => findKept(this.#ledger, db, email));
  }

  /** Removes an account with its keys and all that tells of the person; see `keepAddress` for what stays. */
  deleteAccount(address: string): Promise<DeleteAccountOutcome> {
    return deleteAccount(this.#ledger, address);
  }

  /** Removes who signed up with an address and has not confirmed it; null when nobody did. */
  removeSignUp(address: string): Promise<UnconfirmedPerson | null> {
    return removeSignUp(this.#ledger, address);
  }

  /** Whether the database answers. */
  async isReachable(): Promise<boolean> {
    try {
      await plansInUse(this.#ledger.db);
      return true;
    } catch {
      return false;
    }
  }

  /** Plans that accounts have and configuration no longer does: those accounts get the free plan's limits. */
  async unconfiguredPlans(): Promise<string[]> {
    return (await plansInUse(this.#ledger.db)).filter(
      (plan) => !this.#plans.has(plan),
    );
  }

  /** Makes another key for an account; the name is for its owner. Without an end it works until it is revoked. */
  createKey(
    address: string,
    name = "",
    end: KeyEnd | null = null,
  ): Promise<CreateKeyOutcome> {
    return createKey(this.#ledger, address, name, end);
  }

  /** The keys of one account, or of all, oldest first, ended ones too. */
  listKeys(scope: KeyScope = {}): Promise<ListKeysOutcome> {
    return listKeys(this.#ledger, scope);
  }

  /** A page of an account's keys, oldest first, ended ones too. */
  pageOfKeys(accountId: number, page: Page): Promise<KeyRecord[]> {
    const { clock, db } = this.#ledger;
    return listStoredKeys(db, accountId, clock(), page);
  }

  /** How many keys an account has, ended ones too. */
  countKeys(accountId: number): Promise<number> {
    return countKeys(this.#ledger.db, accountId);
  }

  /** Ends a key for good; for selectors see `parseKeySelector`, a number is the key's own. */
  revokeKey(
    selector: string | number,
    scope: KeyScope = {},
  ): Promise<RevokeKeyOutcome> {
    return revokeKey(this.#ledger, selector, scope);
  }

  /** Makes a key that takes an old one's place, for as long as that was made; the old one goes on working for the overlap. */
  rotateKey(
    selector: string | number,
    overlap: Overlap,
    scope: KeyScope = {},
  ): Promise<RotateKeyOutcome> {
    return rotateKey(this.#ledger, selector, overlap, scope);
  }

  /**
   * Removes a new key that could not be shown to anybody; `replaced` is the key in whose place it was made, as it was, and
   * is again.
   */
  takeBackKey(id: number, replaced: KeyRecord | null): Promise<void> {
    return takeBackKey(this.#ledger, id, replaced);
  }

  /** What an account may ask. */
  planOf({ plan }: Account): Plan {
    return planNamed(this.#plans, plan);
  }

  /** What an account has used in the current month, as far as it is written down. */
  async monthlyUse(accountId: number): Promise<number> {
    const use = selectMonthlyUse(this.#ledger.db, accountId, this.#month());
    return (await use.executeTakeFirst())?.used ?? 0;
  }

  /** How many pages of the explorer an account has viewed in the current month, as far as it is written down. */
  async monthlyPages(accountId: number): Promise<number> {
    const use = selectMonthlyUse(this.#ledger.db, accountId, this.#month());
    return (await use.executeTakeFirst())?.viewed ?? 0;
  }

  /** What an account used by day (UTC), key and operation since a moment, as far as it is written down: all of it, or a page. */
  usageByDay(
    accountId: number,
    sinceMs: number,
    page: Page | null = null,
  ): Promise<UsageOfDay[]> {
    return usageByDay(this.#ledger.db, accountId, sinceMs, page);
  }

  /** How many rows that has. */
  countUsageByDay(accountId: number, sinceMs: number): Promise<number> {
    return countUsageByDay(this.#ledger.db, accountId, sinceMs);
  }

  /** A secret that all processes over the database share; see `installationSecret`. */
  installationSecret(name: InstallationSecretName): Promise<Buffer> {
    const { db, random } = this.#ledger;
    return installationSecret(db, name, random);
  }

  /** A page of what was done to an account, the newest first. */
  async pageOfLog(accountId: number, page: Page): Promise<AuditPage> {
    return pageOfAudit(this.#ledger.db, accountId, page);
  }

  /** What was done by whom, to one account or to all, the oldest first. */
  async auditLog(accountId: number | null = null): Promise<AuditEntry[]> {
    return listAudit(this.#ledger.db, accountId);
  }

  /** For the flusher: writes a batch once, however often it is given. */
  recordUsage(
    batch: UsageBatch,
    times: { nowMs: number; sinceMs: number },
  ): Promise<WrittenUsage> {
    return recordUsage(this.#ledger.db, batch, times);
  }

  /** For the flusher: removes what is older than is kept, and whose it was that is deleted. */
  async forgetOld(nowMs: number): Promise<void> {
    await transact(this.#ledger.db, async (db) => {
      await forgetKept(this.#ledger, db, nowMs);
      await addToNobodys(db, nowMs, null);
    });
    await forgetOldUsage(this.#ledger.db, nowMs);
    await forgetOldPeople(this.#ledger.db, nowMs);
    await scrub(this.#ledger.db);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ledger.db.destroy();
  }

  #month(): string {
    return monthLabel(monthAt(this.#ledger.clock()).number);
  }

  #unknownPlan(): UnknownPlan {
    return { outcome: "unknown_plan", known: [...this.#plans.keys()] };
  }
}
