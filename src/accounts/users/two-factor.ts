import { sql } from "kysely";
import type { ChangeAccountOutcome } from "./account-outcomes.ts";
import { findAccount, forgetLinks } from "./account-store.ts";
import { normalizeEmail } from "./email.ts";
import { audit, type Ledger } from "../context.ts";
import { transact } from "../database/transact.ts";

/** See `Accounts.disableTwoFactor`. */
export async function disableTwoFactor(
  ledger: Ledger,
  address: string,
): Promise<ChangeAccountOutcome> {
  const email = normalizeEmail(address);
  if (email === null) return { outcome: "no_account" };
  return transact(ledger.db, async (db) => {
    const account = await findAccount(db, email);
    if (account === null) return { outcome: "no_account" };
    const { userId } = account;
    if (userId === null) return { outcome: "changed", account };
    const removed = await db
      .deleteFrom("twoFactor")
      .where("userId", "=", userId)
      .returning("id")
      .execute();
    await db
      .updateTable("user")
      .set({ twoFactorEnabled: sql.lit(false) })
      .where("id", "=", userId)
      .execute();
    // Devices that were trusted, and sign-ins that wait for a code.
    await forgetLinks(db, userId);
    if (removed.length > 0)
      await audit(ledger, db, "two_factor_disabled", account.id);
    return { outcome: "changed", account };
  });
}
