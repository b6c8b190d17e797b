import { hash } from "node:crypto";
import { sql, type Kysely } from "kysely";
import { audit } from "../audit.ts";
import type { AccountsContext } from "../context.ts";
import type { Tables } from "../database/tables.ts";
import { transact } from "../database/transact.ts";
import { findAccount, forgetLinks, updateAccount } from "./account-store.ts";
import { keepLeftAddress, restoreDeletedAddress } from "./deleted-addresses.ts";
import { deleteUser, findUnconfirmed, scrub } from "./users.ts";

const SECRET_BYTES = 16;

/** An address that a user wants instead of the present one. */
export interface WantedAddress {
  /** `user.id`. */
  readonly userId: string;
  /** In the form of `normalizeEmail`. */
  readonly email: string;
  /** The time when the link ends, in epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Notes that a user wants another address, and voids the link of the request before. Returns the secret for the new
 * link, and whether the address is another account's, to which no link may be mailed. Both take the same steps, so that
 * the time says nothing.
 */
export async function wantAddress(
  { db, random }: AccountsContext,
  { email, expiresAt, userId }: WantedAddress,
): Promise<{ readonly secret: string; readonly isTaken: boolean }> {
  const secret = Buffer.from(random(SECRET_BYTES)).toString("base64url");
  const now = new Date().toISOString();
  const link = {
    identifier: identifierOf(secret),
    value: userId,
    expiresAt: new Date(expiresAt).toISOString(),
    createdAt: now,
    updatedAt: now,
  };
  await db
    .insertInto("verification")
    .values({ id: `change-email ${userId}`, ...link })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(link))
    .execute();
  return { secret, isTaken: await isTaken(db, email) };
}

/**
 * Gives the user of a link the address to which it was mailed; all other links of the user end, sessions and keys stay.
 * Returns the address before. Null if the link was used or has been voided, if another account has the address by now,
 * or if the account is suspended.
 */
export async function changeAddress(
  context: AccountsContext,
  secret: string,
  email: string,
): Promise<string | null> {
  const before = await transact(context.db, async (db) => {
    // Of requests at the same time, one deletes it.
    const link = await db
      .deleteFrom("verification")
      .where("identifier", "=", identifierOf(secret))
      .returning("value")
      .executeTakeFirst();
    if (link === undefined) return null;
    const account = await findAccount(db, { user_id: link.value });
    if (account === null || account.suspendedAt !== null) return null;
    if (await isTaken(db, email)) return null;
    // The sign-up of someone who has not shown that the address is theirs.
    const waiting = await findUnconfirmed(db, email);
    if (waiting !== null) await deleteUser(db, waiting.userId);
    await keepLeftAddress(context, db, account);
    await db
      .updateTable("user")
      .set({ email })
      .where("id", "=", link.value)
      .execute();
    const changed = await updateAccount(db, account.id, { email });
    await restoreDeletedAddress(context, db, changed);
    await forgetLinks(db, link.value);
    await audit(context, db, "address_changed", account.id);
    return account.email;
  });
  if (before !== null) await scrub(context.db);
  return before;
}

/** True if a normalized address has an account, or a user who has confirmed it. */
async function isTaken(db: Kysely<Tables>, email: string): Promise<boolean> {
  const account = await findAccount(db, { email });
  const user = await db
    .selectFrom("user")
    .select("id")
    .where("email", "=", email)
    .where("emailVerified", "=", sql.lit(true))
    .executeTakeFirst();
  return account !== null || user !== undefined;
}

/** Returns what is stored of a link: its secret can't be read from the database. */
function identifierOf(secret: string): string {
  return hash("sha256", `change-email ${secret}`, "base64url");
}
