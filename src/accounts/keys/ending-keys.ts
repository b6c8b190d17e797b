import type { Kysely } from "kysely";
import { shownKey } from "./key-store.ts";
import type { Tables } from "../database/tables.ts";

/** How long before its end a key's owner is notified. Keys with a shorter lifetime get no notice. */
const AHEAD_MS = 7 * 86_400_000;

/** Keys per call, so that mails are not sent by the thousand. */
const MAX_KEYS_PER_CALL = 200;

/** A key that expires soon. */
export interface EndingKey {
  readonly email: string;
  /** As lists show it. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly endsAt: number;
}

/**
 * Claims keys that expire within a week by their owner's choice and have had no notice; each is claimed once, by the
 * first process. Keys of accounts without a user are skipped, because the address is unconfirmed.
 */
export async function claimEndingKeys(
  db: Kysely<Tables>,
  nowMs: number,
): Promise<EndingKey[]> {
  const rows = await db
    .updateTable("api_key")
    .set({ end_told_at: nowMs })
    .where("end_told_at", "is", null)
    .where("id", "in", (select) =>
      select
        .selectFrom("api_key")
        .innerJoin("api_account", "api_account.id", "api_key.account_id")
        .select("api_key.id")
        .where("api_account.user_id", "is not", null)
        .where("api_key.end_told_at", "is", null)
        .where("api_key.revoked_at", "is", null)
        .where("api_key.lifetime_ms", ">", AHEAD_MS)
        .where("api_key.expires_at", ">", nowMs)
        .where("api_key.expires_at", "<=", nowMs + AHEAD_MS)
        .limit(MAX_KEYS_PER_CALL),
    )
    .returning(["account_id", "prefix", "last_four", "expires_at"])
    .execute();
  const found: EndingKey[] = [];
  for (const { account_id, expires_at, last_four, prefix } of rows) {
    const account = await db
      .selectFrom("api_account")
      .select("email")
      .where("id", "=", account_id)
      .executeTakeFirst();
    if (account === undefined || expires_at === null) continue;
    const key = shownKey({ prefix, lastFour: last_four });
    found.push({ email: account.email, key, endsAt: expires_at });
  }
  return found;
}
