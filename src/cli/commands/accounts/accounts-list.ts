import type { Accounts } from "../../../accounts/accounts.ts";
import type { Plans } from "../../../accounts/plans.ts";
import {
  NO_OPERANDS,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { accountFacts } from "./account-facts.ts";
import { withAccounts } from "../../data-folder.ts";
import { ACCOUNTS } from "../../../settings/service-settings.ts";
import { formatCount, formatTable } from "../../output/format.ts";
import { JSON_OUTPUT } from "../../settings/settings.ts";

export const accountsListCommand: Command = {
  operands: NO_OPERANDS,
  settings: [JSON_OUTPUT, ...Object.values(ACCOUNTS)],
  summary: "List accounts by address, with plan and usage this month.",
  details: [],
  prepare(reader) {
    const place = reader.readAll(ACCOUNTS);
    const json = reader.read(JSON_OUTPUT);
    return (context) =>
      withAccounts(place, "accounts list", context, (accounts) =>
        listAccounts(accounts, place.plans, json, context),
      );
  },
};

async function listAccounts(
  accounts: Accounts,
  plans: Plans,
  json: boolean,
  context: Context,
): Promise<ExitCode> {
  const listed = await accounts.keys.list();
  const active = new Map<string, number>();
  if (listed.outcome === "listed")
    for (const { email, state } of listed.keys)
      if (state === "active") active.set(email, (active.get(email) ?? 0) + 1);
  const all = (await accounts.users.list()).map((each) =>
    Object.assign(accountFacts(each, plans), {
      active_keys: active.get(each.account.email) ?? 0,
    }),
  );
  if (json) context.out(JSON.stringify(all, null, 2));
  else if (all.length === 0)
    context.out(
      "No accounts yet. Create one with keys create --email ADDRESS.",
    );
  else {
    const rows = all.map((each) => [
      each.email,
      each.plan,
      each.status,
      formatCount(each.active_keys),
      formatCount(each.used),
      formatCount(each.quota),
    ]);
    const heading = ["ACCOUNT", "PLAN", "STATUS", "KEYS", "USED", "QUOTA"];
    for (const line of formatTable(heading, rows)) context.out(line);
  }
  return 0;
}
