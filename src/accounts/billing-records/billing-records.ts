import type { Kysely, Selectable, Transaction } from "kysely";
import { audit } from "../audit.ts";
import type { AccountsContext } from "../context.ts";
import type { DatabasePlace } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import type { ApiSubscriptionTable, Tables } from "../database/tables.ts";
import { transact } from "../database/transact.ts";
import { DEFAULT_PLAN } from "../plans.ts";
import {
  findAccount,
  updateAccount,
  type Account,
} from "../users/account-store.ts";
import {
  listSubscriptions,
  planEffectOf,
  RUNNING,
  type Subscription,
} from "./subscriptions.ts";

const DAY_MS = 86_400_000;
/** Stripe retries an event for three days; operators may resend it later. */
const KEEP_EVENTS_MS = 90 * DAY_MS;

/** Finds the plan that a price (`price_…`) pays for; null if none is configured. */
export type PlanOfPrice = (priceId: string) => string | null;

/** A subscription's state at Stripe; times in epoch milliseconds. */
export interface SubscriptionState extends Pick<
  Subscription,
  "id" | "status" | "priceId" | "periodEnd" | "endsAt"
> {
  readonly customerId: string;
}

/** A subscription's state to record. */
export interface SubscriptionNews {
  /** The event that reported it (`evt_…`), and its time. */
  readonly event: { readonly id: string; readonly at: number };
  /** The state, fetched after `version` was read. */
  readonly state: SubscriptionState;
  readonly version: number;
  readonly planOfPrice: PlanOfPrice;
}

export type SettleOutcome =
  | {
      readonly outcome: "settled";
      readonly accountId: number;
      /** The account's plan before and after; null if it stays. */
      readonly change: { readonly from: string; readonly to: string } | null;
      /** A price that is paid but belongs to no plan; null if there is none. */
      readonly unknownPrice: string | null;
    }
  /** The event was already processed. */
  | { readonly outcome: "duplicate" }
  /** Another event was recorded meanwhile, so the state may be outdated: fetch it again, and settle that. */
  | { readonly outcome: "overtaken" }
  /** The customer has no account in this installation, or no longer. */
  | { readonly outcome: "unknown_customer" };

/**
 * Customers and subscriptions, as stored with the accounts. Methods throw AccountsDatabaseError or the database's own
 * error while it is away.
 */
export class BillingRecords {
  readonly #context: Omit<AccountsContext, "db">;
  readonly #open: () => Promise<Kysely<Tables>>;
  #db: Promise<Kysely<Tables>> | null = null;

  /** `open` is called on first use, and again after a failure. */
  constructor(
    context: Omit<AccountsContext, "db">,
    open: () => Promise<Kysely<Tables>>,
  ) {
    this.#context = context;
    this.#open = open;
  }

  /** Finds the account of an id; null if there is none. */
  async account(accountId: number): Promise<Account | null> {
    return findAccount(await this.#connect(), { id: accountId });
  }

  /** Finds the customer (`cus_…`) of an account; null if it has never paid. */
  async customer(accountId: number): Promise<string | null> {
    return customerOf(await this.#connect(), accountId);
  }

  /**
   * Records a new customer and returns the account's: of two at once, the first. Null if the account was deleted
   * meanwhile.
   */
  async keepCustomer(
    accountId: number,
    customerId: string,
  ): Promise<string | null> {
    return transact(await this.#connect(), async (db) => {
      if ((await findAccount(db, { id: accountId })) === null) return null;
      await db
        .insertInto("api_billing_customer")
        .values({
          account_id: accountId,
          customer_id: customerId,
          created_at: this.#context.clock(),
        })
        .onConflict((conflict) => conflict.column("account_id").doNothing())
        .execute();
      return customerOf(db, accountId);
    });
  }

  /** Forgets a customer who no longer exists. */
  async forgetCustomer(customerId: string): Promise<void> {
    const db = await this.#connect();
    await db
      .deleteFrom("api_billing_customer")
      .where("customer_id", "=", customerId)
      .execute();
  }

  /** Lists the subscriptions of an account, the newest news first. */
  async subscriptions(accountId: number): Promise<Subscription[]> {
    return listSubscriptions(await this.#connect(), accountId);
  }

  /** True if an event was dealt with. */
  async hasSettled(eventId: string): Promise<boolean> {
    return isSettled(await this.#connect(), eventId);
  }

  /** Returns how many times a subscription was recorded, for `settle`; 0 if it is new. */
  async versionOf(subscriptionId: string): Promise<number> {
    const row = await readSubscription(await this.#connect(), subscriptionId);
    return row?.version ?? 0;
  }

  /**
   * Records a subscription and updates its account's plan, completely or not at all, and once for an event. The plan
   * changes only when a subscription starts or stops giving it, so a plan that an operator sets in between stays.
   */
  async settle({
    event,
    planOfPrice,
    state,
    version,
  }: SubscriptionNews): Promise<SettleOutcome> {
    const context = this.#context;
    return transact(
      await this.#connect(),
      async (db): Promise<SettleOutcome> => {
        if (await isSettled(db, event.id)) return { outcome: "duplicate" };
        const stored = await readSubscription(db, state.id);
        if ((stored?.version ?? 0) !== version) return { outcome: "overtaken" };
        const accountId =
          stored?.account_id ?? (await accountOfCustomer(db, state.customerId));
        const account =
          accountId === null ? null : await findAccount(db, { id: accountId });
        if (account === null) return { outcome: "unknown_customer" };

        const paid = state.priceId === null ? null : planOfPrice(state.priceId);
        const granted = stored?.granted_plan ?? null;
        const row: Selectable<ApiSubscriptionTable> = {
          id: state.id,
          account_id: account.id,
          status: state.status,
          price_id: state.priceId ?? stored?.price_id ?? null,
          granted_plan: grantOf(state.status, paid, granted),
          period_end: state.periodEnd,
          ends_at: state.endsAt,
          event_at: Math.max(event.at, stored?.event_at ?? 0),
          version: version + 1,
        };
        await writeSubscription(db, row);
        await noteEvent(db, event.id, context.clock());
        if (stored?.status !== row.status || stored.price_id !== row.price_id)
          await audit(
            context,
            db,
            "subscription_changed",
            account.id,
            `${row.status}, ${event.id}`,
          );
        const change = await applyGrant(context, db, account, granted, row);
        const isUnknown =
          planEffectOf(state.status) === "runs" && paid === null;
        const unknownPrice = isUnknown ? state.priceId : null;
        return {
          outcome: "settled",
          accountId: account.id,
          change,
          unknownPrice,
        };
      },
    );
  }

  /**
   * Gives accounts the plans that their running subscriptions pay for at the configured prices. Returns how many
   * changed.
   */
  async applyPrices(planOfPrice: PlanOfPrice): Promise<number> {
    const context = this.#context;
    return transact(await this.#connect(), async (db) => {
      const rows = await db
        .selectFrom("api_subscription")
        .selectAll()
        .where("status", "in", RUNNING)
        .execute();
      let changed = 0;
      for (const row of rows) {
        const plan = row.price_id === null ? null : planOfPrice(row.price_id);
        if (plan === null || plan === row.granted_plan) continue;
        const account = await findAccount(db, { id: row.account_id });
        if (account === null) continue;
        const now = { ...row, granted_plan: plan, version: row.version + 1 };
        await writeSubscription(db, now);
        await applyGrant(context, db, account, row.granted_plan, now);
        changed++;
      }
      return changed;
    });
  }

  /** Closes the connection, if one was opened. */
  protected async close(): Promise<void> {
    const db = await this.#db?.catch(() => null);
    await db?.destroy();
  }

  #connect(): Promise<Kysely<Tables>> {
    this.#db ??= this.#open().catch((error: unknown) => {
      this.#db = null;
      throw error;
    });
    return this.#db;
  }
}

/** The same over its own connection, which is opened on first use, so that threads start without one. */
export class LazyBillingRecords
  extends BillingRecords
  implements AsyncDisposable
{
  constructor({
    place,
    ...context
  }: Omit<AccountsContext, "db"> & { readonly place: DatabasePlace }) {
    super(context, () => openDatabase(place));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Finds the customer of an account; null if it has never paid. */
async function customerOf(
  db: Kysely<Tables>,
  accountId: number,
): Promise<string | null> {
  const row = await db
    .selectFrom("api_billing_customer")
    .select("customer_id")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row?.customer_id ?? null;
}

/** Finds the account id of a customer; null if the customer is not of this installation. */
async function accountOfCustomer(
  db: Kysely<Tables>,
  customerId: string,
): Promise<number | null> {
  const row = await db
    .selectFrom("api_billing_customer")
    .select("account_id")
    .where("customer_id", "=", customerId)
    .executeTakeFirst();
  return row?.account_id ?? null;
}

/** Reads the row of a subscription; null if it is new. */
async function readSubscription(
  db: Kysely<Tables>,
  id: string,
): Promise<Selectable<ApiSubscriptionTable> | null> {
  const row = await db
    .selectFrom("api_subscription")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** Inserts or updates a subscription's row. */
async function writeSubscription(
  db: Kysely<Tables>,
  row: Selectable<ApiSubscriptionTable>,
): Promise<void> {
  const { account_id: _account, id: _id, ...changing } = row;
  await db
    .insertInto("api_subscription")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changing))
    .execute();
}

/** Returns the plan that a subscription now gives. */
function grantOf(
  status: string,
  paid: string | null,
  granted: string | null,
): string | null {
  switch (planEffectOf(status)) {
    case "runs":
      return paid ?? granted;
    case "ended":
      return null;
    default:
      return granted;
  }
}

/** Changes the account's plan if a subscription's grant changed; a plan set by an operator stays. */
async function applyGrant(
  context: Omit<AccountsContext, "db">,
  db: Transaction<Tables>,
  account: Account,
  before: string | null,
  { granted_plan: after, id }: Selectable<ApiSubscriptionTable>,
): Promise<{ from: string; to: string } | null> {
  if (after === before) return null;
  if (after === null && account.plan !== before) return null;
  const to = after ?? (await otherGrant(db, account.id, id)) ?? DEFAULT_PLAN;
  if (to === account.plan) return null;
  await updateAccount(db, account.id, { plan: to });
  const detail = `from ${account.plan} to ${to}`;
  await audit(context, db, "plan_set", account.id, detail);
  return { from: account.plan, to };
}

/** Finds the plan that another subscription of the account gives; null without one. */
async function otherGrant(
  db: Kysely<Tables>,
  accountId: number,
  except: string,
): Promise<string | null> {
  const row = await db
    .selectFrom("api_subscription")
    .select("granted_plan")
    .where("account_id", "=", accountId)
    .where("id", "!=", except)
    .where("granted_plan", "is not", null)
    .orderBy("event_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.granted_plan ?? null;
}

/** True if an event was processed. */
async function isSettled(
  db: Kysely<Tables>,
  eventId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom("api_billing_event")
    .select("id")
    .where("id", "=", eventId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records that an event was processed, and deletes old ones. */
async function noteEvent(
  db: Kysely<Tables>,
  id: string,
  nowMs: number,
): Promise<void> {
  await db
    .insertInto("api_billing_event")
    .values({ id, received_at: nowMs })
    .execute();
  await db
    .deleteFrom("api_billing_event")
    .where("received_at", "<", nowMs - KEEP_EVENTS_MS)
    .execute();
}
