import type { CreateAccountOutcome } from "./account-outcomes.ts";
import { findAccount } from "./account-store.ts";
import { normalizeEmail } from "./email.ts";
import type { Ledger } from "../context.ts";
import { makeAccount } from "./make-account.ts";
import { transact } from "../database/transact.ts";

/** See `Accounts.createAccount`; the plan is one that there is. */
export async function createAccount(
  ledger: Ledger,
  address: string,
  plan: string,
): Promise<CreateAccountOutcome> {
  const email = normalizeEmail(address);
  if (email === null) return { outcome: "invalid_email" };
  return transact(ledger.db, async (db) => {
    const found = await findAccount(db, email);
    if (found !== null) return { outcome: "exists", account: found };
    const account = await makeAccount(ledger, db, { email, plan });
    return { outcome: "created", account };
  });
}
