import type { Kysely } from "kysely";
import type { AuditAction } from "../contract/audit-action.ts";
import type { Page } from "./page.ts";
import type { Tables } from "./database/tables.ts";

/** Something that was done to an account. */
export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Who did it: `operator ada: accounts suspend`. */
  readonly actor: string;
  readonly action: AuditAction;
  /** The account's number, null where it is about all of them. */
  readonly accountId: number | null;
  /** The account's address, null for one that was deleted. */
  readonly email: string | null;
  /** What changed, in a few words without a person's data; may be empty. */
  readonly detail: string;
}

export async function noteAudit(
  db: Kysely<Tables>,
  entry: {
    at: number;
    actor: string;
    action: AuditAction;
    accountId: number | null;
    detail: string;
  },
): Promise<void> {
  const { accountId, ...rest } = entry;
  await db
    .insertInto("api_audit")
    .values({ ...rest, account_id: accountId })
    .execute();
}

/** All that was done, or all that was done to one account; the oldest first. */
export async function listAudit(
  db: Kysely<Tables>,
  accountId: number | null,
): Promise<AuditEntry[]> {
  let query = db
    .selectFrom("api_audit")
    .leftJoin("api_account", "api_account.id", "api_audit.account_id")
    .select([
      "api_audit.at",
      "api_audit.actor",
      "api_audit.action",
      "api_audit.account_id as accountId",
      "api_account.email",
      "api_audit.detail",
    ]);
  if (accountId !== null)
    query = query.where("api_audit.account_id", "=", accountId);
  return query.orderBy("api_audit.id").execute();
}

/** A part of what was done to an account. */
export interface AuditPage {
  readonly entries: readonly (Pick<
    AuditEntry,
    "at" | "actor" | "action" | "detail"
  > & { readonly id: number })[];
  readonly total: number;
}

/** A page of what was done to one account, the newest first. */
export async function pageOfAudit(
  db: Kysely<Tables>,
  accountId: number,
  { limit, offset }: Page,
): Promise<AuditPage> {
  const own = db.selectFrom("api_audit").where("account_id", "=", accountId);
  const { total } = await own
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const entries = await own
    .select(["id", "at", "actor", "action", "detail"])
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return { entries, total };
}
