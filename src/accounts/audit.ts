import type { Kysely, Selection } from "kysely";
import type { AuditAction } from "../contract/account.ts";
import type { AccountsContext, Page } from "./context.ts";
import type { Tables } from "./database/tables.ts";
import { findAccount } from "./users/account-store.ts";

const COLUMNS = [
  "api_audit.at",
  "api_audit.actor",
  "api_audit.action",
  "api_audit.detail",
] as const;

type Change = Readonly<
  Selection<Tables, "api_audit", (typeof COLUMNS)[number]>
>;

/** A change to an account; its address is null if it was deleted. */
export interface AuditEntry extends Change {
  readonly accountId: number | null;
  readonly email: string | null;
}

/** A page of an account's log. */
export interface AuditPage {
  readonly entries: readonly (Change & { readonly id: number })[];
  readonly total: number;
}

/** The audit log: what was done to accounts, and by whom. */
export class AuditLog {
  readonly #db: Kysely<Tables>;

  constructor({ db }: AccountsContext) {
    this.#db = db;
  }

  /** Lists all entries, or those of one account, oldest first. */
  list(accountId: number | null = null): Promise<AuditEntry[]> {
    let query = this.#db
      .selectFrom("api_audit")
      .leftJoin("api_account", "api_account.id", "api_audit.account_id")
      .select([
        ...COLUMNS,
        "api_audit.account_id as accountId",
        "api_account.email",
      ]);
    if (accountId !== null)
      query = query.where("api_audit.account_id", "=", accountId);
    return query.orderBy("api_audit.id").execute();
  }

  /** Returns a page of one account's entries, newest first. */
  async page(accountId: number, { limit, offset }: Page): Promise<AuditPage> {
    const own = this.#db
      .selectFrom("api_audit")
      .where("account_id", "=", accountId);
    const { total } = await own
      .select(({ fn }) => fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    const entries = await own
      .select(["id", ...COLUMNS])
      .orderBy("id", "desc")
      .limit(limit)
      .offset(offset)
      .execute();
    return { entries, total };
  }
}

/** Records a change, in the transaction that makes it. */
export async function audit(
  { actor, clock }: Pick<AccountsContext, "actor" | "clock">,
  db: Kysely<Tables>,
  action: AuditAction,
  accountId: number | null,
  detail = "",
): Promise<void> {
  await db
    .insertInto("api_audit")
    .values({ at: clock(), actor, action, account_id: accountId, detail })
    .execute();
}

/** Records what a user (`user.id`) did to the account; nothing if there is no account yet. */
export async function auditUser(
  context: AccountsContext,
  userId: string,
  action: AuditAction,
): Promise<void> {
  const account = await findAccount(context.db, { user_id: userId });
  if (account !== null) await audit(context, context.db, action, account.id);
}
