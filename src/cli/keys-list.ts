import type { KeyRecord } from "../accounts/key-store.ts";
import type { Plans } from "../accounts/plans.ts";
import {
  fail,
  NO_OPERANDS,
  type Command,
  type Context,
  type ExitCode,
} from "./command.ts";
import { missingFolder, openFolderAccounts } from "./data-folder.ts";
import { keyFacts, shownKey } from "./key-facts.ts";
import { formatTime } from "./quantities.ts";
import { DATA_DIR, EMAIL, JSON_OUTPUT, PLANS } from "./settings.ts";
import { formatTable } from "./table.ts";

interface Options {
  readonly dataDir: string;
  readonly email: string | null;
  readonly json: boolean;
  readonly plans: Plans;
}

export const keysListCommand: Command = {
  words: ["keys", "list"],
  operands: NO_OPERANDS,
  settings: [EMAIL, JSON_OUTPUT, DATA_DIR, PLANS],
  summary: "List the API keys of all accounts or of one, the oldest first.",
  details: [],
  prepare(reader) {
    const options: Options = {
      dataDir: reader.read(DATA_DIR),
      email: reader.read(EMAIL),
      json: reader.read(JSON_OUTPUT),
      plans: reader.read(PLANS),
    };
    return (context) => listKeys(options, context);
  },
};

async function listKeys(
  { dataDir, email, json, plans }: Options,
  context: Context,
): Promise<ExitCode> {
  const missing = missingFolder(dataDir);
  if (missing !== null) return fail(context, missing);
  await using accounts = await openFolderAccounts(dataDir, plans, context);
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

function keyTable(keys: readonly KeyRecord[]): string[] {
  const rows = keys.map((key) => [
    shownKey(key),
    key.email,
    key.accountSuspended ? `${key.plan} (suspended)` : key.plan,
    key.state === "active" && key.expiresAt !== null
      ? `active until ${formatTime(key.expiresAt)}`
      : key.state,
    formatTime(key.createdAt),
    key.lastUsedAt === null ? "never" : formatTime(key.lastUsedAt),
  ]);
  return formatTable(
    ["KEY", "ACCOUNT", "PLAN", "STATE", "CREATED", "LAST USED"],
    rows,
  );
}
