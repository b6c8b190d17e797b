import type { Accounts } from "../../../accounts/accounts.ts";
import {
  fail,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { withAccounts } from "../../data-folder.ts";
import { ACCOUNTS } from "../../../settings/service-settings.ts";
import { shownKey } from "../../../accounts/keys/keys.ts";
import {
  describeEnded,
  describeSelectionFailure,
  keyFacts,
} from "./key-facts.ts";
import { EMAIL, JSON_OUTPUT } from "../../settings/settings.ts";

interface Options {
  readonly prefix: string;
  readonly email: string | null;
  readonly json: boolean;
}

export const keysRevokeCommand: Command = {
  operands: { text: "PREFIX", min: 1, max: 1 },
  settings: [EMAIL, JSON_OUTPUT, ...Object.values(ACCOUNTS)],
  summary:
    "Revoke an API key permanently; a running service refuses it within two seconds.",
  details: [
    "PREFIX is the key's first 12 characters, optionally with the last four, as keys list shows it (pd_live_aB3x...9Zk2).",
  ],
  prepare(reader, [prefix = ""]) {
    const place = reader.readAll(ACCOUNTS);
    const options: Options = {
      prefix,
      email: reader.read(EMAIL),
      json: reader.read(JSON_OUTPUT),
    };
    return (context) =>
      withAccounts(place, "keys revoke", context, (accounts) =>
        revokeKey(accounts, options, context),
      );
  },
};

async function revokeKey(
  accounts: Accounts,
  { email, json, prefix }: Options,
  context: Context,
): Promise<ExitCode> {
  const revoked = await accounts.keys.revoke(
    prefix,
    email === null ? {} : { email },
  );
  if (revoked.outcome !== "revoked" && revoked.outcome !== "already_ended")
    return fail(context, describeSelectionFailure(revoked, prefix, email));
  const { outcome, record } = revoked;
  context.out(
    json
      ? JSON.stringify(keyFacts(record), null, 2)
      : outcome === "revoked"
        ? `Revoked ${shownKey(record)} of ${record.email}.`
        : `${describeEnded(record)} Nothing to do.`,
  );
  return 0;
}
