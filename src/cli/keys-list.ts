import {
  fail,
  NO_OPERANDS,
  type Command,
  type Context,
  type ExitCode,
} from "./command.ts";
import {
  ACCOUNTS_SETTINGS,
  missingAccounts,
  openAccountsFor,
  readAccountsPlace,
  type AccountsPlace,
} from "./data-folder.ts";
import { keyFacts, keyTable } from "./key-facts.ts";
import { EMAIL, JSON_OUTPUT } from "./settings.ts";

interface Options extends AccountsPlace {
  readonly email: string | null;
  readonly json: boolean;
}

export const keysListCommand: Command = {
  words: ["keys", "list"],
  operands: NO_OPERANDS,
  settings: [EMAIL, JSON_OUTPUT, ...ACCOUNTS_SETTINGS],
  summary: "List the API keys of all accounts or of one, the oldest first.",
  details: [],
  prepare(reader) {
    const options: Options = {
      ...readAccountsPlace(reader),
      email: reader.read(EMAIL),
      json: reader.read(JSON_OUTPUT),
    };
    return (context) => listKeys(options, context);
  },
};

async function listKeys(
  { email, json, ...place }: Options,
  context: Context,
): Promise<ExitCode> {
  const missing = missingAccounts(place);
  if (missing !== null) return fail(context, missing);
  await using accounts = await openAccountsFor(place, "keys list", context);
  const listed = await accounts.listKeys(email === null ? {} : { email });
  if (listed.outcome === "no_account")
    return fail(
      context,
      `There is no account ${email}: keys list shows all of them.`,
    );
  if (json) context.out(JSON.stringify(listed.keys.map(keyFacts), null, 2));
  else if (listed.keys.length === 0)
    context.out(
      "There are no keys. Make one with keys create --email ADDRESS.",
    );
  else for (const line of keyTable(listed.keys)) context.out(line);
  return 0;
}
