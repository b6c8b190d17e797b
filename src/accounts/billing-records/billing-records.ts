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
 * Customers and subscriptions, as stored with the accounts. Methods throw AccountsDatabaseError or the database's own
 * error while it is away.
 */
export class BillingRecords {
  readonly #connect: () => Promise<AccountsContext>;

  /** `connect` is called each time. */
  constructor(connect: () => Promise<AccountsContext>) {
    this.#connect = connect;
  }

  /** The account of an id; null if there is none. */
  async account(accountId: number): Promise<Account | null> {
    return readAccount(await this.#db(), accountId);
  }

  /** The customer of an account; null if it has never paid. */
  async customer(accountId: number): Promise<string | null> {
    return customerOfAccount(await this.#db(), accountId);
  }

  /**
   * Records a new customer and returns the account's: of two at once, the first. Null if the account was deleted
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

  /** Forgets a customer who no longer exists. */
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

  /** How many times a subscription was recorded, for `settle`; 0 if it is new. */
  async versionOf(subscriptionId: string): Promise<number> {
    const row = await readSubscription(await this.#db(), subscriptionId);
    return row?.version ?? 0;
  }

  /** Records the result of an event, completely or not at all, and once. */
  async settle(news: SubscriptionNews): Promise<SettleOutcome> {
    return settleSubscription(await this.#connect(), news);
  }

  /** Applies changed prices: gives accounts the plans that they pay for. Returns how many changed. */
  async applyPrices(planOfPrice: PlanOfPrice): Promise<number> {
    return applyPrices(await this.#connect(), planOfPrice);
  }

  async #db(): Promise<Kysely<Tables>> {
    return (await this.#connect()).db;
  }
}

/**
 * The same over its own connection, which is opened on first use and again after a failure, so that threads start
 * without one.
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
