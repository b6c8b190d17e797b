import type { Accounts } from "../../../accounts/accounts.ts";
import {
  fail,
  NO_OPERANDS,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { withAccounts } from "../../data-folder.ts";
import { ACCOUNTS } from "../../../settings/service-settings.ts";
import { keyFacts, keyTable } from "./key-facts.ts";
import { EMAIL, JSON_OUTPUT } from "../../settings/settings.ts";

interface Options {
  readonly email: string | null;
  readonly json: boolean;
}

export const keysListCommand: Command = {
  operands: NO_OPERANDS,
  settings: [EMAIL, JSON_OUTPUT, ...Object.values(ACCOUNTS)],
  summary: "List the API keys of all accounts or of one, oldest first.",
  details: [],
  prepare(reader) {
    const place = reader.readAll(ACCOUNTS);
    const options: Options = {
      email: reader.read(EMAIL),
      json: reader.read(JSON_OUTPUT),
    };
    return (context) =>
      withAccounts(place, "keys list", context, (accounts) =>
        listKeys(accounts, options, context),
      );
  },
};

async function listKeys(
  accounts: Accounts,
  { email, json }: Options,
  context: Context,
): Promise<ExitCode> {
  const listed = await accounts.keys.list(email === null ? {} : { email });
  if (listed.outcome === "no_account")
    return fail(
      context,
      `No account ${email}. Run accounts list to see all accounts.`,
    );
  if (json) context.out(JSON.stringify(listed.keys.map(keyFacts), null, 2));
  else if (listed.keys.length === 0)
    context.out("No keys yet. Create one with keys create --email ADDRESS.");
  else for (const line of keyTable(listed.keys)) context.out(line);
  return 0;
}
