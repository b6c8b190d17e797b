import { sql, type ExpressionBuilder, type Kysely } from "kysely";
import { purgeOldAttempts } from "./attempts.ts";
import type { Tables } from "../database/tables.ts";

/** How long an address waits to be verified. */
const UNVERIFIED_KEPT_MS = 7 * 86_400_000;

/** Sign-ups that wait to be confirmed; beyond it the oldest go. */
export const MOST_UNVERIFIED = 10_000;

/** Sessions of one person; beyond it those go that rested for longest. */
export const MOST_SESSIONS = 50;

/** How long a session lasts in all, however much it is used. */
export const LONGEST_SESSION_MS = 180 * 86_400_000;

/**
 * Removes people who never verified their address, sessions and mailed links that have ended, and old attempts. Of all
 * of them nothing would come any more.
 */
export async function purgeExpiredUsers(
  db: Kysely<Tables>,
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs).toISOString();
  await db
    .deleteFrom("user")
    .where("emailVerified", "=", sql.lit(false))
    .where("createdAt", "<", new Date(nowMs - UNVERIFIED_KEPT_MS).toISOString())
    .where("id", "not in", (select) => ownersOf(select))
    .execute();
  const tooOld = new Date(nowMs - LONGEST_SESSION_MS).toISOString();
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

/** Removes the oldest sign-ups of which too many wait to be confirmed. */
export async function limitUnverified(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom("user")
    .where("emailVerified", "=", sql.lit(false))
    .where("id", "not in", (select) => ownersOf(select))
    .where("createdAt", "<", (select) =>
      select
        .selectFrom("user")
        .select("createdAt")
        .where("emailVerified", "=", sql.lit(false))
        .orderBy("createdAt", "desc")
        .offset(MOST_UNVERIFIED - 1)
        .limit(1),
    )
    .execute();
}

/** Removes the sessions of a person (`user.id`) that are too many. */
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
        .limit(MOST_SESSIONS),
    )
    .execute();
}

/** The people who have an account. */
function ownersOf(select: ExpressionBuilder<Tables, "user">) {
  return select
    .selectFrom("api_account")
    .select("user_id")
    .where("user_id", "is not", null)
    .$castTo<{ user_id: string }>();
}
