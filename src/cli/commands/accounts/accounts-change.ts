import type { Account } from "../../../accounts/users/account-store.ts";
import type {
  ChangeSuspensionOutcome,
  TwoFactorOff,
} from "../../../accounts/users/users.ts";
import type { Accounts } from "../../../accounts/accounts.ts";
import {
  fail,
  refuseMisuse,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import {
  accountFacts,
  describeSubscribed,
  noAccount,
} from "./account-facts.ts";
import { DESPITE_SUBSCRIPTION, JSON_OUTPUT } from "../../settings/settings.ts";
import { withAccounts, type AccountsPlace } from "../../data-folder.ts";
import { ACCOUNTS } from "../../../settings/service-settings.ts";
import { isoTime } from "../keys/key-facts.ts";

/** An account to print, after a sentence if there is one. */
interface ChangedAccount {
  readonly account: Account;
  readonly sentence?: string;
}

const IN_FORCE =
  "Takes effect in a running service within two seconds, and is recorded in the audit log.";

export const accountsSuspendCommand = changeCommand(
  "suspend",
  "Suspend an account: its keys are refused until you resume it.",
  (accounts, email) => accounts.users.suspend(email),
);

export const accountsResumeCommand = changeCommand(
  "resume",
  "Resume a suspended account: its keys work again.",
  (accounts, email) => accounts.users.resume(email),
);

export const accountsDisableTwoFactorCommand = changeCommand(
  "disable-2fa",
  "Turn off two-factor authentication for a user who has lost access to it.",
  (accounts, email) => accounts.users.disableTwoFactor(email),
);

export const accountsSetPlanCommand: Command = {
  operands: { text: "EMAIL PLAN", min: 2, max: 2 },
  settings: [DESPITE_SUBSCRIPTION, JSON_OUTPUT, ...Object.values(ACCOUNTS)],
  summary: "Change an account's plan; the new quota applies from this month.",
  details: [
    IN_FORCE,
    "Refused while the account has an active subscription: the owner can change or cancel it, or you can at Stripe. With --despite-subscription, the plan changes anyway; the subscription continues and is charged, and the plan stays until the subscription changes to another price.",
  ],
  prepare(reader, [email = "", plan = ""]) {
    const place = reader.readAll(ACCOUNTS);
    const json = reader.read(JSON_OUTPUT);
    const despiteSubscription = reader.read(DESPITE_SUBSCRIPTION);
    return (context) =>
      inAccounts({ place, json, word: "set-plan" }, context, (accounts) =>
        setPlan(accounts, { email, plan, despiteSubscription }, context),
      );
  },
};

async function setPlan(
  accounts: Accounts,
  wanted: { email: string; plan: string; despiteSubscription: boolean },
  context: Context,
): Promise<ChangedAccount | ExitCode> {
  const { email, plan } = wanted;
  const outcome = await accounts.users.setPlan(email, plan, wanted);
  switch (outcome.outcome) {
    case "no_account":
      return fail(context, noAccount(email));
    case "unknown_plan":
      return refuseMisuse(
        context,
        `Unknown plan "${plan}". Choose ${outcome.known.join(" or ")}.`,
      );
    case "subscribed":
      return fail(context, describeSubscribed(outcome.subscription));
    default:
      return outcome;
  }
}

function changeCommand(
  word: string,
  summary: string,
  change: (
    accounts: Accounts,
    email: string,
  ) => Promise<ChangeSuspensionOutcome | TwoFactorOff>,
): Command {
  return {
    operands: { text: "EMAIL", min: 1, max: 1 },
    settings: [JSON_OUTPUT, ...Object.values(ACCOUNTS)],
    summary,
    details: [IN_FORCE],
    prepare(reader, [email = ""]) {
      const place = reader.readAll(ACCOUNTS);
      const json = reader.read(JSON_OUTPUT);
      return (context) =>
        inAccounts({ place, json, word }, context, async (accounts) => {
          const outcome = await change(accounts, email);
          switch (outcome.outcome) {
            case "changed":
              return outcome;
            case "two_factor_off":
              return {
                account: outcome.account,
                sentence: outcome.wasOn
                  ? "Two-factor authentication is off."
                  : "Two-factor authentication was not on.",
              };
            case "changed_deleted":
              return printDeleted(outcome, json, context);
            default:
              return fail(context, noAccount(email));
          }
        });
    },
  };
}

/** Prints what applies to a new account with a deleted account's address. */
function printDeleted(
  {
    email,
    suspendedAt,
  }: Extract<ChangeSuspensionOutcome, { outcome: "changed_deleted" }>,
  json: boolean,
  context: Context,
): ExitCode {
  const facts = {
    email,
    status: "deleted",
    suspended_at: isoTime(suspendedAt),
  };
  const sentence =
    suspendedAt === null
      ? `The account ${email} was deleted. Its suspension is lifted: a new account with this address will be active.`
      : `The account ${email} was deleted. A new account with this address will be suspended.`;
  context.out(json ? JSON.stringify(facts, null, 2) : sentence);
  return 0;
}

/**
 * Runs `act` on an account and prints the result, once all of it is read. If `act` refuses, it has printed why.
 */
function inAccounts(
  { json, place, word }: { place: AccountsPlace; json: boolean; word: string },
  context: Context,
  act: (accounts: Accounts) => Promise<ChangedAccount | ExitCode>,
): Promise<ExitCode> {
  return withAccounts(place, `accounts ${word}`, context, async (accounts) => {
    const changed = await act(accounts);
    if (typeof changed === "number") return changed;
    const { account, sentence } = changed;
    const used = await accounts.usage.thisMonth(account.id);
    const facts = accountFacts({ account, used }, place.plans);
    if (sentence !== undefined && !json) context.out(sentence);
    context.out(
      json
        ? JSON.stringify(facts, null, 2)
        : `${facts.email} is ${facts.status}, plan ${facts.plan}.`,
    );
    return 0;
  });
}
