import type { Kysely } from "kysely";
import { readAccount, type Account } from "../users/account-store.ts";
import {
  customerOfAccount,
  deleteCustomer,
  insertCustomer,
  listSubscriptions,
  readSubscription,
  type Subscription,
} from "./billing-store.ts";
import type { DatabasePlace } from "../database/database.ts";
import type { AccountsContext } from "../context.ts";
import { openDatabase } from "../database/open-database.ts";
import {
  applyPrices,
  isSettled,
  settleSubscription,
  type PlanOfPrice,
  type SettleOutcome,
  type SubscriptionNews,
} from "./settle-subscription.ts";
import type { Tables } from "../database/tables.ts";
import { transact } from "../database/transact.ts";

/**
 * Who pays, as it is written down beside the accounts. Its methods throw AccountsDatabaseError or the database's own error
 * while that is away.
 */
export class BillingRecords {
  readonly #connect: () => Promise<AccountsContext>;

  /** `connect` is asked each time. */
  constructor(connect: () => Promise<AccountsContext>) {
    this.#connect = connect;
  }

  /** The account of a number, null when it is not there. */
  async account(accountId: number): Promise<Account | null> {
    return readAccount(await this.#db(), accountId);
  }

  /** The customer of an account, null for one that never began to pay. */
  async customer(accountId: number): Promise<string | null> {
    return customerOfAccount(await this.#db(), accountId);
  }

  /**
   * Notes a new customer, and returns the account's: where two came at once, that of the first. Null where the account is gone
   * meanwhile.
   */
  async keepCustomer(
    accountId: number,
    customerId: string,
  ): Promise<string | null> {
    const { clock, db: whole } = await this.#connect();
    return transact(whole, async (db) => {
      if ((await readAccount(db, accountId)) === null) return null;
      const nowMs = clock();
      await insertCustomer(db, { accountId, customerId, nowMs });
      return customerOfAccount(db, accountId);
    });
  }

  /** Forgets a customer who is no longer there. */
  async forgetCustomer(customerId: string): Promise<void> {
    await deleteCustomer(await this.#db(), customerId);
  }

  /** The subscriptions of an account, the newest news first. */
  async subscriptions(accountId: number): Promise<Subscription[]> {
    return listSubscriptions(await this.#db(), accountId);
  }

  /** Whether an event was dealt with. */
  async hasSettled(eventId: string): Promise<boolean> {
    return isSettled(await this.#db(), eventId);
  }

  /** How often a subscription was written, for `settle`; 0 when nothing was heard of it yet. */
  async versionOf(subscriptionId: string): Promise<number> {
    const row = await readSubscription(await this.#db(), subscriptionId);
    return row?.version ?? 0;
  }

  /** Writes down what an event led to: all of it or nothing, and once. */
  async settle(news: SubscriptionNews): Promise<SettleOutcome> {
    return settleSubscription(await this.#connect(), news);
  }

  /** Gives accounts what they pay for by another configuration of prices. Returns how many changed. */
  async applyPrices(planOfPrice: PlanOfPrice): Promise<number> {
    return applyPrices(await this.#connect(), planOfPrice);
  }

  async #db(): Promise<Kysely<Tables>> {
    return (await this.#connect()).db;
  }
}

/**
 * The same over a connection of its own, made when it is first asked, and again after it failed: so a thread starts
 * without it.
 */
export class LazyBillingRecords
  extends BillingRecords
  implements AsyncDisposable
{
  readonly #connection: LazyConnection;

  constructor({
    place,
    ...context
  }: Omit<AccountsContext, "db"> & { readonly place: DatabasePlace }) {
    const connection = new LazyConnection(place);
    super(async () => ({ ...context, db: await connection.open() }));
    this.#connection = connection;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection[Symbol.asyncDispose]();
  }
}

class LazyConnection implements AsyncDisposable {
  readonly #place: DatabasePlace;
  #db: Promise<Kysely<Tables>> | null = null;

  constructor(place: DatabasePlace) {
    this.#place = place;
  }

  open(): Promise<Kysely<Tables>> {
    this.#db ??= openDatabase(this.#place).catch((error: unknown) => {
      this.#db = null;
      throw error;
    });
    return this.#db;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const db = await this.#db?.catch(() => null);
    await db?.destroy();
  }
}
