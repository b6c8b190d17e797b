import type { Kysely } from "kysely";
import { readAccount, type Account } from "../users/account-store.ts";
import type { Random } from "../keys/api-key.ts";
import {
  customerOfAccount,
  deleteCustomer,
  insertCustomer,
} from "./billing-customers.ts";
import type { DatabasePlace } from "../database/database.ts";
import type { Ledger } from "../context.ts";
import { openDatabase } from "../database/open-database.ts";
import {
  applyPrices,
  isSettled,
  settleSubscription,
  type PlanOfPrice,
  type SettleOutcome,
  type SubscriptionNews,
} from "./settle-subscription.ts";
import {
  listSubscriptions,
  readSubscription,
  type Subscription,
} from "./subscription-store.ts";
import type { Tables } from "../database/tables.ts";
import { transact } from "../database/transact.ts";

export interface BillingRecordsOptions {
  readonly place: DatabasePlace;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly random: Random;
  /** Who is at work, for the audit log. */
  readonly actor: string;
}

/**
 * Who pays, as it is written down beside the accounts. It connects when it is first asked, and again after it failed, so
 * that a thread starts without it. Its methods throw AccountsDatabaseError or the database's own error while that is away.
 */
export class BillingRecords implements AsyncDisposable {
  readonly #options: BillingRecordsOptions;
  #db: Promise<Kysely<Tables>> | null = null;

  constructor(options: BillingRecordsOptions) {
    this.#options = options;
  }

  /** The account of a number, null when it is not there. */
  async account(accountId: number): Promise<Account | null> {
    return readAccount(await this.#open(), accountId);
  }

  /** The customer of an account, null for one that never began to pay. */
  async customer(accountId: number): Promise<string | null> {
    return customerOfAccount(await this.#open(), accountId);
  }

  /**
   * Notes a new customer, and returns the account's: where two came at once, that of the first. Null where the account is gone
   * meanwhile.
   */
  async keepCustomer(
    accountId: number,
    customerId: string,
  ): Promise<string | null> {
    return transact(await this.#open(), async (db) => {
      if ((await readAccount(db, accountId)) === null) return null;
      const nowMs = this.#options.clock();
      await insertCustomer(db, { accountId, customerId, nowMs });
      return customerOfAccount(db, accountId);
    });
  }

  /** Forgets a customer who is no longer there. */
  async forgetCustomer(customerId: string): Promise<void> {
    await deleteCustomer(await this.#open(), customerId);
  }

  /** The subscriptions of an account, the newest news first. */
  async subscriptions(accountId: number): Promise<Subscription[]> {
    return listSubscriptions(await this.#open(), accountId);
  }

  /** Whether an event was dealt with. */
  async hasSettled(eventId: string): Promise<boolean> {
    return isSettled(await this.#open(), eventId);
  }

  /** How often a subscription was written, for `settle`; 0 when nothing was heard of it yet. */
  async versionOf(subscriptionId: string): Promise<number> {
    const row = await readSubscription(await this.#open(), subscriptionId);
    return row?.version ?? 0;
  }

  /** Writes down what an event led to: all of it or nothing, and once. */
  async settle(news: SubscriptionNews): Promise<SettleOutcome> {
    return settleSubscription(await this.#ledger(), news);
  }

  /** Gives accounts what they pay for by another configuration of prices. Returns how many changed. */
  async applyPrices(planOfPrice: PlanOfPrice): Promise<number> {
    return applyPrices(await this.#ledger(), planOfPrice);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const db = await this.#db?.catch(() => null);
    await db?.destroy();
  }

  async #ledger(): Promise<Ledger> {
    const { actor, clock, random } = this.#options;
    return { db: await this.#open(), actor, clock, random };
  }

  #open(): Promise<Kysely<Tables>> {
    this.#db ??= openDatabase(this.#options.place).catch((error: unknown) => {
      this.#db = null;
      throw error;
    });
    return this.#db;
  }
}
