import type { Accounts } from "../../../accounts/accounts.ts";
import type { Overlap } from "../../../contract/credentials.ts";
import { shownKey, type KeyRecord } from "../../../accounts/keys/keys.ts";
import {
  fail,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { withAccounts } from "../../data-folder.ts";
import { ACCOUNTS } from "../../../settings/service-settings.ts";
import { deliverKey } from "./deliver-key.ts";
import {
  describeSelectionFailure,
  describeTooManyKeys,
  keyFacts,
} from "./key-facts.ts";
import { formatTime } from "../../output/format.ts";
import { EMAIL, JSON_OUTPUT, OVERLAP } from "../../settings/settings.ts";

interface Options {
  readonly prefix: string;
  readonly overlap: Overlap;
  readonly email: string | null;
  readonly json: boolean;
}

export const keysRotateCommand: Command = {
  operands: { text: "PREFIX", min: 1, max: 1 },
  settings: [OVERLAP, EMAIL, JSON_OUTPUT, ...Object.values(ACCOUNTS)],
  summary:
    "Replace an API key with a new one; the old one keeps working for a while.",
  details: [
    "PREFIX is the key's first 12 characters, optionally with the last four, as keys list shows it (pd_live_aB3x...9Zk2).",
    "Prints the new key as the last line of standard output, or with --json as new_key. It is shown only once and not stored. If it cannot be printed, it is withdrawn.",
  ],
  prepare(reader, [prefix = ""]) {
    const place = reader.readAll(ACCOUNTS);
    const options: Options = {
      prefix,
      overlap: reader.read(OVERLAP),
      email: reader.read(EMAIL),
      json: reader.read(JSON_OUTPUT),
    };
    return (context) =>
      withAccounts(place, "keys rotate", context, (accounts) =>
        rotateKey(accounts, options, context),
      );
  },
};

async function rotateKey(
  accounts: Accounts,
  { email, json, overlap, prefix }: Options,
  context: Context,
): Promise<ExitCode> {
  const rotated = await accounts.keys.rotate(
    prefix,
    overlap,
    email === null ? {} : { email },
  );
  if (rotated.outcome === "too_many_keys")
    return fail(context, describeTooManyKeys(rotated.most));
  if (rotated.outcome !== "rotated")
    return fail(context, describeSelectionFailure(rotated, prefix, email));
  const { before, key, old, record } = rotated;
  if (json) {
    context.out(
      JSON.stringify(
        { new_key: key, record: keyFacts(record), old: keyFacts(old) },
        null,
        2,
      ),
    );
    return deliverKey(accounts, record, before, context);
  }
  context.err(
    `${shownKey(old)} of ${old.email} ${endOf(old)}. The new key is shown only once:`,
  );
  context.out(key);
  return deliverKey(accounts, record, before, context);
}

function endOf({ expiresAt, state }: KeyRecord): string {
  return state === "active" && expiresAt !== null
    ? `works until ${formatTime(expiresAt)}`
    : `is ${state}`;
}
