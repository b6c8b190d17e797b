import type { Kysely } from "kysely";
import type { Random } from "./api-key.ts";
import { noteAudit, type AuditAction } from "./audit.ts";
import type { Tables } from "./tables.ts";

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
