import type { Expression, ExpressionBuilder, Kysely, SqlBool } from "kysely";
import type { Tables } from "../database/tables.ts";

/** The account id and key id under which the usage of deleted ones is summed. */
const DELETED = 0;

/** How late usage may be recorded; older rows are not searched each time. */
const LATEST_MS = 7 * 86_400_000;

/**
 * Adds the usage of an account and its keys to the anonymous sums of deleted accounts. Without an account, adds usage
 * recorded after deletions: keys keep working for a moment, and usage is written later.
 */
export async function anonymizeUsage(
  db: Kysely<Tables>,
  nowMs: number,
  accountId: number | null,
): Promise<void> {
  // Not `NOT IN`, for which PostgreSQL compares each row with each account once they don't fit into `work_mem`.
  await anonymizeHours(db, (where) =>
    accountId === null
      ? where.and([
          where("hour", ">=", nowMs - LATEST_MS),
          where("key_id", "!=", DELETED),
          where.not(
            where.exists(
              where
                .selectFrom("api_key")
                .select("api_key.id")
                .whereRef("api_key.id", "=", "api_usage_hour.key_id"),
            ),
          ),
        ])
      : where(
          "key_id",
          "in",
          where
            .selectFrom("api_key")
            .select("id")
            .where("account_id", "=", accountId),
        ),
  );

  const isOfAccount = (where: ExpressionBuilder<Tables, "api_usage">) =>
    accountId === null
      ? where.and([
          where("updated_at", ">=", nowMs - LATEST_MS),
          where("account_id", "!=", DELETED),
          where.not(
            where.exists(
              where
                .selectFrom("api_account")
                .select("api_account.id")
                .whereRef("api_account.id", "=", "api_usage.account_id"),
            ),
          ),
        ])
      : where("account_id", "=", accountId);
  await db
    .insertInto("api_usage")
    .columns(["account_id", "month", "used", "updated_at"])
    .expression(
      db
        .selectFrom("api_usage")
        .select((select) => [
          select.val(DELETED).as("account_id"),
          "month",
          select.fn.sum<number>("used").as("used"),
          select.val(nowMs).as("updated_at"),
        ])
        .where(isOfAccount)
        .groupBy("month"),
    )
    .onConflict((conflict) =>
      conflict.columns(["account_id", "month"]).doUpdateSet((set) => ({
        used: set("api_usage.used", "+", set.ref("excluded.used")),
      })),
    )
    .execute();
  await db.deleteFrom("api_usage").where(isOfAccount).execute();
}

/** Adds the usage of some keys to the same sums; the account's own sum stays. */
export function anonymizeKeyUsage(
  db: Kysely<Tables>,
  keyIds: readonly number[],
): Promise<void> {
  return anonymizeHours(db, (where) => where("key_id", "in", keyIds));
}

async function anonymizeHours(
  db: Kysely<Tables>,
  isMeant: (
    where: ExpressionBuilder<Tables, "api_usage_hour">,
  ) => Expression<SqlBool>,
): Promise<void> {
  await db
    .insertInto("api_usage_hour")
    .columns(["key_id", "hour", "operation", "used"])
    .expression(
      db
        .selectFrom("api_usage_hour")
        .select((select) => [
          select.val(DELETED).as("key_id"),
          "hour",
          "operation",
          select.fn.sum<number>("used").as("used"),
        ])
        .where(isMeant)
        .groupBy(["hour", "operation"]),
    )
    .onConflict((conflict) =>
      conflict.columns(["key_id", "hour", "operation"]).doUpdateSet((set) => ({
        used: set("api_usage_hour.used", "+", set.ref("excluded.used")),
      })),
    )
    .execute();
  await db.deleteFrom("api_usage_hour").where(isMeant).execute();
}
