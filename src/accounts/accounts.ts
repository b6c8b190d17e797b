import type { Kysely } from "kysely";
import {
  findAccount,
  insertAccount,
  plansInUse,
  updateAccount,
  type Account,
} from "./account-store.ts";
import type { Random } from "./api-key.ts";
import { openDatabase } from "./database.ts";
import { normalizeEmail } from "./email.ts";
import { parseKeySelector } from "./key-selector.ts";
import {
  endKey,
  insertKey,
  listKeys,
  selectKeys,
  type KeyRecord,
} from "./key-store.ts";
import type { KeyUse } from "./key-uses.ts";
import { monthAt, monthLabel } from "./month.ts";
import { DEFAULT_PLAN, type Plans } from "./plans.ts";
import type { Tables } from "./tables.ts";
import {
  addUsage,
  recordKeyUses,
  selectMonthlyUse,
  usageSince,
} from "./usage-store.ts";
import type { UsageDelta, UsageTotal } from "./usage-table.ts";

/** How long a rotated key goes on working beside its successor, in milliseconds. */
export const OVERLAPS = {
  "0": 0,
  "1h": 3_600_000,
  "24h": 86_400_000,
  "7d": 604_800_000,
} as const;
export type Overlap = keyof typeof OVERLAPS;

/** Whether a text names an overlap. */
export function isOverlap(text: string): text is Overlap {
  return Object.hasOwn(OVERLAPS, text);
}

type InvalidEmail = { readonly outcome: "invalid_email" };
type UnknownPlan = {
  readonly outcome: "unknown_plan";
  readonly known: readonly string[];
};
type NoAccount = { readonly outcome: "no_account" };

export type CreateAccountOutcome =
  | { readonly outcome: "created"; readonly account: Account }
  /** The address has an account, whose plan is left as it is. */
  | { readonly outcome: "exists"; readonly account: Account }
  | InvalidEmail
  | UnknownPlan;

export type ChangeAccountOutcome =
  | { readonly outcome: "changed"; readonly account: Account }
  | NoAccount
  | UnknownPlan;

export type CreateKeyOutcome =
  /** The key itself: shown once, stored nowhere. */
  | {
      readonly outcome: "created";
      readonly key: string;
      readonly record: KeyRecord;
    }
  | NoAccount;

export type ListKeysOutcome =
  | { readonly outcome: "listed"; readonly keys: readonly KeyRecord[] }
  | NoAccount;

/** Why a selector does not lead to one usable key. */
export type KeySelectionFailure =
  | { readonly outcome: "not_found" }
  /** Several keys fit; their prefixes with their last four characters tell them apart. */
  | { readonly outcome: "ambiguous"; readonly matches: readonly KeyRecord[] }
  /** The key was revoked, or its time ran out, before. */
  | { readonly outcome: "already_ended"; readonly record: KeyRecord }
  /** Not something that can point at a key; the problem is a sentence. */
  | { readonly outcome: "invalid_selector"; readonly problem: string }
  | NoAccount;

export type RevokeKeyOutcome =
  | { readonly outcome: "revoked"; readonly record: KeyRecord }
  | KeySelectionFailure;

export type RotateKeyOutcome =
  | {
      readonly outcome: "rotated";
      /** The new key itself: shown once, stored nowhere. */
      readonly key: string;
      readonly record: KeyRecord;
      /** The old key as it stands now: revoked, or with the moment at which it expires. */
      readonly old: KeyRecord;
    }
  | KeySelectionFailure;

/** Narrows a selection of keys to one account. */
export interface KeyScope {
  readonly email?: string;
}

export interface AccountsOptions {
  /** The database's path; made when it is not there. */
  readonly file: string;
  readonly plans: Plans;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly random: Random;
}

/** Opens the accounts of an installation. Throws AccountsDatabaseError when its database cannot be used. */
export async function openAccounts({
  file,
  plans,
  clock,
  random,
}: AccountsOptions): Promise<Accounts> {
  return new Accounts(await openDatabase(file), { plans, clock, random });
}

/**
 * Accounts, keys and written usage, for the command line and the supervisor. What changes here is in force in every
 * gate over the same database within the time that `KeyVerifier` trusts what it read.
 */
export class Accounts implements AsyncDisposable {
  readonly #db: Kysely<Tables>;
  readonly #plans: Plans;
  readonly #clock: () => number;
  readonly #random: Random;

  constructor(
    db: Kysely<Tables>,
    { plans, clock, random }: Omit<AccountsOptions, "file">,
  ) {
    this.#db = db;
    this.#plans = plans;
    this.#clock = clock;
    this.#random = random;
  }

  /** Makes an account, unless the address (`normalizeEmail`) has one. */
  async createAccount(
    address: string,
    plan: string = DEFAULT_PLAN,
  ): Promise<CreateAccountOutcome> {
    const email = normalizeEmail(address);
    if (email === null) return { outcome: "invalid_email" };
    if (!this.#plans.has(plan)) return this.#unknownPlan();
    const created = await insertAccount(this.#db, {
      email,
      plan,
      nowMs: this.#clock(),
    });
    if (created !== null) return { outcome: "created", account: created };
    const account = await findAccount(this.#db, email);
    return account === null
      ? this.createAccount(email, plan)
      : { outcome: "exists", account };
  }

  /** The account of an address, null when there is none. */
  async findAccount(address: string): Promise<Account | null> {
    const email = normalizeEmail(address);
    return email === null ? null : findAccount(this.#db, email);
  }

  async setPlan(address: string, plan: string): Promise<ChangeAccountOutcome> {
    return this.#plans.has(plan)
      ? this.#change(address, { plan })
      : this.#unknownPlan();
  }

  /** Refuses all keys of an account until it is resumed. */
  async suspend(address: string): Promise<ChangeAccountOutcome> {
    return this.#change(address, { suspended_at: this.#clock() });
  }

  async resume(address: string): Promise<ChangeAccountOutcome> {
    return this.#change(address, { suspended_at: null });
  }

  /** Plans that accounts have and configuration no longer does: those accounts get the free plan's limits. */
  async unconfiguredPlans(): Promise<string[]> {
    return (await plansInUse(this.#db)).filter(
      (plan) => !this.#plans.has(plan),
    );
  }

  /** Makes another key for an account. */
  async createKey(address: string): Promise<CreateKeyOutcome> {
    return this.#db.transaction().execute(async (db) => {
      const accountId = await scopeOf(db, { email: address });
      if (accountId === "no_account" || accountId === null)
        return { outcome: "no_account" };
      const made = await insertKey(db, accountId, {
        random: this.#random,
        nowMs: this.#clock(),
      });
      return { outcome: "created", ...made };
    });
  }

  /** The keys of one account, or of all, oldest first, ended ones too. */
  async listKeys(scope: KeyScope = {}): Promise<ListKeysOutcome> {
    const accountId = await scopeOf(this.#db, scope);
    if (accountId === "no_account") return { outcome: "no_account" };
    return {
      outcome: "listed",
      keys: await listKeys(this.#db, accountId, this.#clock()),
    };
  }

  /** Ends a key for good; for selectors see `parseKeySelector`. */
  async revokeKey(
    selector: string,
    scope: KeyScope = {},
  ): Promise<RevokeKeyOutcome> {
    return this.#db.transaction().execute(async (db) => {
      const nowMs = this.#clock();
      const found = await oneActiveKey(db, selector, scope, nowMs);
      if (found.outcome !== "found") return found;
      return {
        outcome: "revoked",
        record: await endKey(db, found.record.id, { revoked_at: nowMs }, nowMs),
      };
    });
  }

  /** Makes a key that takes an old one's place; the old one goes on working for the overlap. */
  async rotateKey(
    selector: string,
    overlap: Overlap,
    scope: KeyScope = {},
  ): Promise<RotateKeyOutcome> {
    return this.#db.transaction().execute(async (db) => {
      const nowMs = this.#clock();
      const found = await oneActiveKey(db, selector, scope, nowMs);
      if (found.outcome !== "found") return found;
      const { id, accountId, expiresAt } = found.record;
      const made = await insertKey(db, accountId, {
        random: this.#random,
        nowMs,
      });
      // A key that is already on its way out does not live longer for being rotated again.
      const ending =
        OVERLAPS[overlap] === 0
          ? { revoked_at: nowMs }
          : {
              expires_at: Math.min(
                nowMs + OVERLAPS[overlap],
                expiresAt ?? Infinity,
              ),
            };
      return {
        outcome: "rotated",
        ...made,
        old: await endKey(db, id, ending, nowMs),
      };
    });
  }

  /** What an account has used in the current month, as far as it is written down. */
  async monthlyUse(accountId: number): Promise<number> {
    const month = monthLabel(monthAt(this.#clock()).number);
    return (
      (await selectMonthlyUse(this.#db, accountId, month).executeTakeFirst())
        ?.used ?? 0
    );
  }

  /**
   * For the flusher: writes counts and uses in one transaction. Returns the sums that the deltas led to, in their
   * order, and those that anybody changed since a moment.
   */
  async recordUsage(
    deltas: readonly UsageDelta[],
    uses: readonly KeyUse[],
    { nowMs, sinceMs }: { nowMs: number; sinceMs: number },
  ): Promise<{ totals: UsageTotal[]; recent: UsageTotal[] }> {
    if (deltas.length === 0 && uses.length === 0)
      return { totals: [], recent: await usageSince(this.#db, sinceMs) };
    return this.#db.transaction().execute(async (db) => {
      const totals = await addUsage(db, deltas, nowMs);
      await recordKeyUses(db, uses);
      return { totals, recent: await usageSince(db, sinceMs) };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#db.destroy();
  }

  async #change(
    address: string,
    change: { plan: string } | { suspended_at: number | null },
  ): Promise<ChangeAccountOutcome> {
    const email = normalizeEmail(address);
    const account =
      email === null ? null : await updateAccount(this.#db, email, change);
    return account === null
      ? { outcome: "no_account" }
      : { outcome: "changed", account };
  }

  #unknownPlan(): UnknownPlan {
    return { outcome: "unknown_plan", known: [...this.#plans.keys()] };
  }
}

/** The id of the account that a scope names, null for all accounts. */
async function scopeOf(
  db: Kysely<Tables>,
  { email }: KeyScope,
): Promise<number | null | "no_account"> {
  if (email === undefined) return null;
  const normalized = normalizeEmail(email);
  const account =
    normalized === null ? null : await findAccount(db, normalized);
  return account?.id ?? "no_account";
}

async function oneActiveKey(
  db: Kysely<Tables>,
  text: string,
  scope: KeyScope,
  nowMs: number,
): Promise<
  | { readonly outcome: "found"; readonly record: KeyRecord }
  | KeySelectionFailure
> {
  const selector = parseKeySelector(text);
  if (selector.by === "nothing")
    return { outcome: "invalid_selector", problem: selector.problem };
  const accountId = await scopeOf(db, scope);
  if (accountId === "no_account") return { outcome: "no_account" };
  const matches = await selectKeys(db, selector, accountId, nowMs);
  const active = matches.filter((record) => record.state === "active");
  if (active.length > 1) return { outcome: "ambiguous", matches: active };
  const record = active[0] ?? matches.at(-1);
  if (record === undefined) return { outcome: "not_found" };
  return record.state === "active"
    ? { outcome: "found", record }
    : { outcome: "already_ended", record };
}
