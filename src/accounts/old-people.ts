import { sql, type Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** How long an address waits to be verified, and how long attempts are kept; no window is as long. */
const UNVERIFIED_KEPT_MS = 7 * 86_400_000;
const ATTEMPTS_KEPT_MS = 86_400_000;

/** How long a session lasts in all, however much it is used. */
export const LONGEST_SESSION_MS = 180 * 86_400_000;

/**
 * Removes people who never verified their address, sessions and mailed links that have ended, and old attempts. Of all
 * of them nothing would come any more.
 */
export async function forgetOldPeople(
  db: Kysely<Tables>,
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs).toISOString();
  await db
    .deleteFrom("user")
    .where("emailVerified", "=", sql.lit(false))
    .where("createdAt", "<", new Date(nowMs - UNVERIFIED_KEPT_MS).toISOString())
    .where("id", "not in", (select) =>
      select
        .selectFrom("api_account")
        .select("user_id")
        .where("user_id", "is not", null)
        .$castTo<{ user_id: string }>(),
    )
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
  await db
    .deleteFrom("attempt")
    .where("since", "<", nowMs - ATTEMPTS_KEPT_MS)
    .execute();
  await db
    .deleteFrom("rateLimit")
    .where("lastRequest", "<", nowMs - ATTEMPTS_KEPT_MS)
    .execute();
}
