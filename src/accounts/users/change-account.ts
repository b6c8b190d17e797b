import type { Kysely } from "kysely";
import type { ChangeSuspensionOutcome } from "./account-outcomes.ts";
import { findAccount, updateAccount, type Account } from "./account-store.ts";
import type { AuditAction } from "../../contract/audit-action.ts";
import { suspendKept } from "./deleted-addresses.ts";
import { normalizeEmail } from "./email.ts";
import { audit, type Ledger } from "../context.ts";
import type { Tables } from "../database/tables.ts";
import { transact } from "../database/transact.ts";
import { accountOfUnconfirmed } from "./unconfirmed-users.ts";

type AccountChange = { plan: string } | { suspended_at: number | null };

/** Changes an account and writes it down, in the transaction `db`. */
export async function changeAccount(
  ledger: Ledger,
  db: Kysely<Tables>,
  before: Account,
  action: AuditAction,
  change: AccountChange,
): Promise<{ readonly outcome: "changed"; readonly account: Account }> {
  const account = await updateAccount(db, before.id, change);
  const detail = "plan" in change ? `${before.plan} -> ${change.plan}` : "";
  await audit(ledger, db, action, account.id, detail);
  return { outcome: "changed", account };
}

/** See `Accounts.suspend` and `Accounts.resume`. */
export async function changeSuspension(
  ledger: Ledger,
  address: string,
  suspendedAt: number | null,
): Promise<ChangeSuspensionOutcome> {
  const email = normalizeEmail(address);
  if (email === null) return { outcome: "no_account" };
  return transact(ledger.db, async (db) => {
    const before =
      (await findAccount(db, email)) ??
      (suspendedAt === null
        ? null
        : await accountOfUnconfirmed(ledger, db, email));
    if (before === null)
      return (await suspendKept(ledger, db, email, suspendedAt))
        ? { outcome: "changed_deleted", email, suspendedAt }
        : { outcome: "no_account" };
    const action =
      suspendedAt === null ? "account_resumed" : "account_suspended";
    const change = { suspended_at: suspendedAt };
    return changeAccount(ledger, db, before, action, change);
  });
}
