import type { Kysely } from "kysely";
import { findAccountOfPerson } from "./users/account-store.ts";
import type { Random } from "./keys/api-key.ts";
import type { AuditAction } from "../contract/audit-action.ts";
import { noteAudit } from "./audit.ts";
import type { Tables } from "./database/tables.ts";

/** What every change of the accounts is made with. */
export interface Ledger {
  readonly db: Kysely<Tables>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly random: Random;
  /** Who is at work, for the audit log. */
  readonly actor: string;
}

/** Writes down a change in the transaction that makes it. */
export async function audit(
  { actor, clock }: Ledger,
  db: Kysely<Tables>,
  action: AuditAction,
  accountId: number | null,
  detail = "",
): Promise<void> {
  await noteAudit(db, { at: clock(), actor, action, accountId, detail });
}

/** Writes down what a person (`user.id`) did to the account; nothing where there is none yet. */
export async function auditOfPerson(
  ledger: Ledger,
  userId: string,
  action: AuditAction,
): Promise<void> {
  const account = await findAccountOfPerson(ledger.db, userId);
  if (account !== null) await audit(ledger, ledger.db, action, account.id);
}
