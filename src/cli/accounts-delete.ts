import { fail, type Command, type Context, type ExitCode } from "./command.ts";
import { noAccount } from "./account-facts.ts";
import {
  ACCOUNTS_SETTINGS,
  missingAccounts,
  openAccountsFor,
  readAccountsPlace,
  type AccountsPlace,
} from "./data-folder.ts";
import { JSON_OUTPUT } from "./settings.ts";

export const accountsDeleteCommand: Command = {
  words: ["accounts", "delete"],
  operands: { text: "EMAIL", least: 1, most: 1 },
  settings: [JSON_OUTPUT, ...ACCOUNTS_SETTINGS],
  summary: "Remove an account with its keys and all that tells of the person.",
  details: [
    "There is no way back. What was used stays as sums over all deleted accounts; in the audit log the account is a number. A running service refuses its keys within five seconds.",
  ],
  prepare(reader, [email = ""]) {
    const place = readAccountsPlace(reader);
    const json = reader.read(JSON_OUTPUT);
    return (context) => deleteAccount(place, email, json, context);
  },
};

async function deleteAccount(
  place: AccountsPlace,
  email: string,
  json: boolean,
  context: Context,
): Promise<ExitCode> {
  const missing = missingAccounts(place);
  if (missing !== null) return fail(context, missing);
  await using accounts = await openAccountsFor(
    place,
    "accounts delete",
    context,
  );
  const deleted = await accounts.deleteAccount(email);
  if (deleted.outcome === "no_account") return fail(context, noAccount(email));
  const { email: address } = deleted.account;
  context.out(
    json
      ? JSON.stringify({ email: address, status: "deleted" }, null, 2)
      : `Deleted ${address} with its keys.`,
  );
  return 0;
}
