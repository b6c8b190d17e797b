import type { Account } from "../../../accounts/users/account-store.ts";
import type { Accounts } from "../../../accounts/accounts.ts";
import type { KeyEnd } from "../../../accounts/keys/key-end.ts";
import {
  fail,
  NO_OPERANDS,
  refuseMisuse,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { openAccountsFor, type AccountsPlace } from "../../data-folder.ts";
import { ACCOUNTS } from "../../../settings/service-settings.ts";
import { deliverKey } from "./deliver-key.ts";
import { describeTooManyKeys } from "./key-facts.ts";
import { formatTime } from "../../output/format.ts";
import { EMAIL, EXPIRES, NAME, PLAN } from "../../settings/settings.ts";
import { describeSubscribed } from "../accounts/account-facts.ts";

interface Options extends AccountsPlace {
  readonly email: string;
  /** Null if none was chosen. */
  readonly plan: string | null;
  readonly name: string;
  /** Null for a key that does not expire. */
  readonly expires: KeyEnd | null;
}

export const keysCreateCommand: Command = {
  operands: NO_OPERANDS,
  settings: [EMAIL, PLAN, NAME, EXPIRES, ...Object.values(ACCOUNTS)],
  summary: "Create an API key, and its account if it does not exist.",
  details: [
    "Prints the key as the last line of standard output. It is shown only once and not stored. If it cannot be printed, it is withdrawn.",
  ],
  prepare(reader) {
    const options: Options = {
      ...reader.readAll(ACCOUNTS),
      email: reader.require(EMAIL, ""),
      plan: reader.read(PLAN),
      name: reader.read(NAME),
      expires: reader.read(EXPIRES),
    };
    return (context) => createKey(options, context);
  },
};

const GONE = "The account was deleted in the meantime. Try again.";

async function createKey(
  { email, expires, name, plan, ...place }: Options,
  context: Context,
): Promise<ExitCode> {
  await using accounts = await openAccountsFor(place, "keys create", context);
  const found = await findOrCreateAccount(accounts, email, plan);
  if (found.outcome === "misused") return refuseMisuse(context, found.message);
  if (found.outcome === "failed") return fail(context, found.message);
  if (found.outcome === "gone") return fail(context, GONE);
  const { account, change } = found;
  if (change !== null) context.err(change);
  if (account.suspendedAt !== null)
    context.err(
      "The account is suspended. Its keys are refused until you resume it.",
    );
  const made = await accounts.keys.create(account.email, name, expires);
  switch (made.outcome) {
    case "no_account":
      return fail(context, GONE);
    case "too_many_keys":
      return fail(context, describeTooManyKeys(made.most));
    case "invalid_name":
      return refuseMisuse(
        context,
        "--name must be one line of at most 60 characters.",
      );
    case "invalid_end":
      return refuseMisuse(
        context,
        "--expires must be in the future, at most five years ahead.",
      );
    case "created":
  }
  const { expiresAt } = made.record;
  const until = expiresAt === null ? "" : `, until ${formatTime(expiresAt)}`;
  context.err(
    `Key for ${account.email}, plan ${account.plan}${until}. It is shown only once:`,
  );
  context.out(made.key);
  return await deliverKey(accounts, made.record, null, context);
}

type AccountOutcome =
  /** `change` describes a change to an existing account. */
  | {
      readonly outcome: "found";
      readonly account: Account;
      readonly change: string | null;
    }
  | { readonly outcome: "misused"; readonly message: string }
  | { readonly outcome: "failed"; readonly message: string }
  | { readonly outcome: "gone" };

async function findOrCreateAccount(
  accounts: Accounts,
  email: string,
  plan: string | null,
): Promise<AccountOutcome> {
  const created = await accounts.users.create(email, plan ?? undefined);
  switch (created.outcome) {
    case "created":
      return { outcome: "found", account: created.account, change: null };
    case "invalid_email":
      return {
        outcome: "misused",
        message: `"${email}" is not an email address. Use one such as ada@clinic.example.`,
      };
    case "unknown_plan":
      return {
        outcome: "misused",
        message: `Unknown plan "${plan ?? ""}". Choose ${created.known.join(" or ")}.`,
      };
    case "exists":
  }
  const { account } = created;
  if (plan === null || plan === account.plan)
    return { outcome: "found", account, change: null };
  const changed = await accounts.users.setPlan(account.email, plan);
  if (changed.outcome === "subscribed")
    return {
      outcome: "failed",
      message: describeSubscribed(changed.subscription),
    };
  if (changed.outcome !== "changed") return { outcome: "gone" };
  return {
    outcome: "found",
    account: changed.account,
    change: `Changed the account's plan from ${account.plan} to ${plan}.`,
  };
}
