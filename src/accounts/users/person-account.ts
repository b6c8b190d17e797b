import {
  findAccount,
  findAccountOfPerson,
  updateAccount,
  type Account,
} from "./account-store.ts";
import { audit, type Ledger } from "../context.ts";
import { makeAccount } from "./make-account.ts";
import { DEFAULT_PLAN } from "../plans.ts";
import { transact } from "../database/transact.ts";

/** Somebody who has proved to own an e-mail address. */
export interface VerifiedPerson {
  readonly userId: string;
  /** In the form of `normalizeEmail`. */
  readonly email: string;
}

/** See `Accounts.accountOfPerson`. The plan of an account that is there stays. */
export function accountOfPerson(
  ledger: Ledger,
  { email, userId }: VerifiedPerson,
): Promise<Account> {
  return transact(ledger.db, async (db) => {
    const own = await findAccountOfPerson(db, userId);
    if (own !== null) return own;
    const waiting = await findAccount(db, email);
    if (waiting !== null) {
      await audit(ledger, db, "account_claimed", waiting.id);
      return updateAccount(db, waiting.id, { user_id: userId });
    }
    return makeAccount(ledger, db, { email, plan: DEFAULT_PLAN, userId });
  });
}
