import type { Accounts } from "../../../accounts/accounts.ts";
import type { AuditEntry } from "../../../accounts/audit.ts";
import {
  fail,
  NO_OPERANDS,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { noAccount } from "./account-facts.ts";
import { withAccounts } from "../../data-folder.ts";
import { ACCOUNTS } from "../../../settings/service-settings.ts";
import { isoTime } from "../keys/key-facts.ts";
import { formatTable, formatTime } from "../../output/format.ts";
import { EMAIL, JSON_OUTPUT } from "../../settings/settings.ts";

export const accountsAuditCommand: Command = {
  operands: NO_OPERANDS,
  settings: [EMAIL, JSON_OUTPUT, ...Object.values(ACCOUNTS)],
  summary: "Show who did what to accounts and keys, oldest first.",
  details: [
    "An operator appears as a system user name and a command, a deleted account as a number.",
  ],
  prepare(reader) {
    const place = reader.readAll(ACCOUNTS);
    const email = reader.read(EMAIL);
    const json = reader.read(JSON_OUTPUT);
    return (context) =>
      withAccounts(place, "accounts audit", context, (accounts) =>
        showAudit(accounts, email, json, context),
      );
  },
};

async function showAudit(
  accounts: Accounts,
  email: string | null,
  json: boolean,
  context: Context,
): Promise<ExitCode> {
  let accountId: number | null = null;
  if (email !== null) {
    const account = await accounts.users.find(email);
    if (account === null) return fail(context, noAccount(email));
    accountId = account.id;
  }
  const entries = await accounts.auditLog.list(accountId);
  if (json) context.out(JSON.stringify(entries.map(entryFacts), null, 2));
  else if (entries.length === 0) context.out("The audit log is empty.");
  else {
    const rows = entries.map((entry) => [
      formatTime(entry.at),
      entry.actor,
      entry.action,
      nameOf(entry),
      entry.detail,
    ]);
    for (const line of formatTable(
      ["TIME", "WHO", "WHAT", "ACCOUNT", "DETAIL"],
      rows,
    ))
      context.out(line);
  }
  return 0;
}

function entryFacts(entry: AuditEntry) {
  return {
    at: isoTime(entry.at),
    actor: entry.actor,
    action: entry.action,
    account_id: entry.accountId,
    email: entry.email,
    detail: entry.detail,
  };
}

function nameOf({ accountId, email }: AuditEntry): string {
  if (email !== null) return email;
  return accountId === null ? "all" : `deleted account ${accountId}`;
}
