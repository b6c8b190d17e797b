import { sql, type ExpressionBuilder, type Kysely } from "kysely";
import { purgeOldAttempts } from "./attempts.ts";
import type { Tables } from "../database/tables.ts";

/** The time that a sign-up may stay unconfirmed. */
const UNVERIFIED_KEPT_MS = 7 * 86_400_000;

/** Unconfirmed sign-ups; beyond it the oldest are deleted. */
export const MAX_UNVERIFIED = 10_000;

/** Sessions per user; beyond it the least recently used are deleted. */
export const MAX_SESSIONS = 50;

/** The longest a session lasts, however much it is used. */
export const MAX_SESSION_MS = 180 * 86_400_000;

/** Deletes unconfirmed users, ended sessions and mailed links, and old attempts. */
export async function purgeExpiredUsers(
  db: Kysely<Tables>,
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs).toISOString();
  await db
    .deleteFrom("user")
    .where("emailVerified", "=", sql.lit(false))
    .where("createdAt", "<", new Date(nowMs - UNVERIFIED_KEPT_MS).toISOString())
    .where((where) => where.not(where.exists(accountOf(where))))
    .execute();
  const tooOld = new Date(nowMs - MAX_SESSION_MS).toISOString();
  await db
    .deleteFrom("session")
    .where((where) =>
      where.or([
        where("expiresAt", "<", now),
        where("createdAt", "<=", tooOld),
      ]),
    )
    .execute();
  await db.deleteFrom("verification").where("expiresAt", "<", now).execute();
  await purgeOldAttempts(db, nowMs);
}

/** Deletes the oldest unconfirmed sign-ups beyond the limit. */
export async function limitUnverified(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom("user")
    .where("emailVerified", "=", sql.lit(false))
    .where((where) => where.not(where.exists(accountOf(where))))
    .where("createdAt", "<", (select) =>
      select
        .selectFrom("user")
        .select("createdAt")
        .where("emailVerified", "=", sql.lit(false))
        .orderBy("createdAt", "desc")
        .offset(MAX_UNVERIFIED - 1)
        .limit(1),
    )
    .execute();
}

/** Deletes a user's (`user.id`) sessions beyond the limit. */
export async function limitSessions(
  db: Kysely<Tables>,
  userId: string,
): Promise<void> {
  await db
    .deleteFrom("session")
    .where("userId", "=", userId)
    .where("id", "not in", (select) =>
      select
        .selectFrom("session")
        .select("id")
        .where("userId", "=", userId)
        .orderBy("expiresAt", "desc")
        .limit(MAX_SESSIONS),
    )
    .execute();
}

/** Selects the account of a user. */
function accountOf(where: ExpressionBuilder<Tables, "user">) {
  return where
    .selectFrom("api_account")
    .select("api_account.id")
    .whereRef("api_account.user_id", "=", "user.id");
}
