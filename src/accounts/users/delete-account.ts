import {
  deleteAccount as removeAccount,
  findAccount,
} from "./account-store.ts";
import type { DeleteAccountOutcome } from "./account-outcomes.ts";
import { keepAddress } from "./deleted-addresses.ts";
import { normalizeEmail } from "./email.ts";
import { audit, type Ledger } from "../context.ts";
import { scrub } from "./scrub.ts";
import { transact } from "../database/transact.ts";
import {
  findUnconfirmed,
  forgetUnconfirmed,
  type UnconfirmedPerson,
} from "./unconfirmed-users.ts";

/** See `Accounts.deleteAccount`. */
export async function deleteAccount(
  ledger: Ledger,
  address: string,
): Promise<DeleteAccountOutcome> {
  const email = normalizeEmail(address);
  if (email === null) return { outcome: "no_account" };
  const deleted = await transact(ledger.db, async (db) => {
    const account = await findAccount(db, email);
    if (account === null) return null;
    await keepAddress(ledger, db, account);
    await removeAccount(db, account.id, ledger.clock());
    await audit(ledger, db, "account_deleted", account.id);
    return account;
  });
  if (deleted === null) return { outcome: "no_account" };
  await scrub(ledger.db);
  return { outcome: "deleted", account: deleted };
}

/** See `Accounts.removeSignUp`. */
export async function removeSignUp(
  ledger: Ledger,
  address: string,
): Promise<UnconfirmedPerson | null> {
  const email = normalizeEmail(address);
  if (email === null) return null;
  const removed = await transact(ledger.db, async (db) => {
    const person = await findUnconfirmed(db, email);
    if (person !== null) await forgetUnconfirmed(ledger, db, person);
    return person;
  });
  if (removed !== null) await scrub(ledger.db);
  return removed;
}
