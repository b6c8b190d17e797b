import type { Kysely } from "kysely";
import { forgetPerson, type Account } from "./account-store.ts";
import { audit, type Ledger } from "../context.ts";
import { makeAccount } from "./make-account.ts";
import { DEFAULT_PLAN } from "../plans.ts";
import type { Tables } from "../database/tables.ts";

/** Somebody who signed up and has not proved to own the address; there is no account for that yet. */
export interface UnconfirmedPerson {
  /** `user.id`. */
  readonly userId: string;
  readonly email: string;
  /** Epoch milliseconds. */
  readonly signedUpAt: number;
}

/** Who signed up with a normalized address and has not confirmed it; null where nobody did. */
export async function findUnconfirmed(
  db: Kysely<Tables>,
  email: string,
): Promise<UnconfirmedPerson | null> {
  const found = await db
    .selectFrom("user")
    .select(["id", "createdAt", "emailVerified"])
    .where("email", "=", email)
    .executeTakeFirst();
  if (found === undefined || Boolean(found.emailVerified)) return null;
  const signedUpAt = new Date(found.createdAt).getTime();
  return { userId: found.id, email, signedUpAt };
}

/** Removes such a person; the mailed link then leads nowhere. */
export async function forgetUnconfirmed(
  ledger: Ledger,
  db: Kysely<Tables>,
  { userId }: UnconfirmedPerson,
): Promise<void> {
  await forgetPerson(db, userId);
  await audit(ledger, db, "sign_up_removed", null);
}

/** Makes the account that confirming an address would make, and which confirming it then leads to; null where nobody waits to. */
export async function accountOfUnconfirmed(
  ledger: Ledger,
  db: Kysely<Tables>,
  email: string,
): Promise<Account | null> {
  if ((await findUnconfirmed(db, email)) === null) return null;
  return makeAccount(ledger, db, { email, plan: DEFAULT_PLAN });
}
