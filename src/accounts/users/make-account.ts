import type { Kysely } from "kysely";
import { insertAccount, type Account } from "./account-store.ts";
import { restoreKept } from "./deleted-addresses.ts";
import { audit, type Ledger } from "../context.ts";
import type { Tables } from "../database/tables.ts";

/** Makes the account of a normalized address that has none: with what its last one used this month, and suspended if that was. */
export async function makeAccount(
  ledger: Ledger,
  db: Kysely<Tables>,
  wanted: {
    readonly email: string;
    readonly plan: string;
    /** The person whose it is; without one an operator makes it. */
    readonly userId?: string;
  },
): Promise<Account> {
  const nowMs = ledger.clock();
  const made = await insertAccount(db, { ...wanted, nowMs });
  await audit(ledger, db, "account_created", made.id, wanted.plan);
  return restoreKept(ledger, db, made);
}
