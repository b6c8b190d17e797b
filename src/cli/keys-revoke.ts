import type { Plans } from "../accounts/plans.ts";
import { fail, type Command, type Context, type ExitCode } from "./command.ts";
import { missingFolder, openFolderAccounts } from "./data-folder.ts";
import { describeSelectionFailure, keyFacts, shownKey } from "./key-facts.ts";
import { DATA_DIR, EMAIL, JSON_OUTPUT, PLANS } from "./settings.ts";

interface Options {
  readonly prefix: string;
  readonly dataDir: string;
  readonly email: string | null;
  readonly json: boolean;
  readonly plans: Plans;
}

export const keysRevokeCommand: Command = {
  words: ["keys", "revoke"],
  operands: { text: "PREFIX", least: 1, most: 1 },
  settings: [EMAIL, JSON_OUTPUT, DATA_DIR, PLANS],
  summary:
    "End an API key for good; a running service refuses it within five seconds.",
  details: [
    "PREFIX is what keys list shows: the first 12 characters, or these with the last four (pd_live_aB3x...9Zk2).",
  ],
  prepare(reader, [prefix = ""]) {
    const options: Options = {
      prefix,
      dataDir: reader.read(DATA_DIR),
      email: reader.read(EMAIL),
      json: reader.read(JSON_OUTPUT),
      plans: reader.read(PLANS),
    };
    return (context) => revokeKey(options, context);
  },
};

async function revokeKey(
  { dataDir, email, json, plans, prefix }: Options,
  context: Context,
): Promise<ExitCode> {
  const missing = missingFolder(dataDir);
  if (missing !== null) return fail(context, missing);
  await using accounts = await openFolderAccounts(dataDir, plans, context);
  const revoked = await accounts.revokeKey(
    prefix,
    email === null ? {} : { email },
  );
  if (revoked.outcome !== "revoked")
    return fail(context, describeSelectionFailure(revoked, prefix, email));
  const { record } = revoked;
  context.out(
    json
      ? JSON.stringify(keyFacts(record), null, 2)
      : `Revoked ${shownKey(record)} of ${record.email}.`,
  );
  return 0;
}
