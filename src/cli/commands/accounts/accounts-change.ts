import type { Account } from "../../../accounts/users/account-store.ts";
import type { ChangeSuspensionOutcome } from "../../../accounts/users/users.ts";
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

const IN_FORCE =
  "A running service knows of it within five seconds; it stands in the audit log.";

export const accountsSuspendCommand = changeCommand(
  "suspend",
  "Refuse all keys of an account until it is resumed.",
  (accounts, email) => accounts.users.suspend(email),
);

export const accountsResumeCommand = changeCommand(
  "resume",
  "Let a suspended account's keys work again.",
  (accounts, email) => accounts.users.resume(email),
);

export const accountsDisableTwoFactorCommand = changeCommand(
  "disable-2fa",
  "Switch two-factor authentication off for an account whose owner has lost it.",
  (accounts, email) => accounts.users.disableTwoFactor(email),
);

export const accountsSetPlanCommand: Command = {
  words: ["accounts", "set-plan"],
  operands: { text: "EMAIL PLAN", least: 2, most: 2 },
  settings: [DESPITE_SUBSCRIPTION, JSON_OUTPUT, ...Object.values(ACCOUNTS)],
  summary:
    "Give an account another plan, with its quota in the month that runs.",
  details: [
    IN_FORCE,
    "An account with a running subscription is refused: its plan is changed, or cancelled, by its owner or at Stripe. With --despite-subscription it is changed all the same; the subscription goes on and is charged, and the plan stays until the subscription changes to another price.",
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
): Promise<Account | ExitCode> {
  const { email, plan } = wanted;
  const outcome = await accounts.users.setPlan(email, plan, wanted);
  switch (outcome.outcome) {
    case "no_account":
      return fail(context, noAccount(email));
    case "unknown_plan":
      return refuseMisuse(
        context,
        `There is no plan "${plan}": choose ${outcome.known.join(" or ")}.`,
      );
    case "subscribed":
      return fail(context, describeSubscribed(outcome.subscription));
    default:
      return outcome.account;
  }
}

function changeCommand(
  word: string,
  summary: string,
  change: (
    accounts: Accounts,
    email: string,
  ) => Promise<ChangeSuspensionOutcome>,
): Command {
  return {
    words: ["accounts", word],
    operands: { text: "EMAIL", least: 1, most: 1 },
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
              return outcome.account;
            case "changed_deleted":
              return tellDeleted(outcome, json, context);
            default:
              return fail(context, noAccount(email));
          }
        });
    },
  };
}

/** Says what is in force for the next account of an address whose account was deleted. */
function tellDeleted(
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
      ? `The account ${email} was deleted. Its suspension is lifted: the next account of this address is active.`
      : `The account ${email} was deleted. The next account of this address will be suspended.`;
  context.out(json ? JSON.stringify(facts, null, 2) : sentence);
  return 0;
}

/** Does something to an account and prints what it is then; where it was refused, `act` has said why. */
function inAccounts(
  { json, place, word }: { place: AccountsPlace; json: boolean; word: string },
  context: Context,
  act: (accounts: Accounts) => Promise<Account | ExitCode>,
): Promise<ExitCode> {
  return withAccounts(place, `accounts ${word}`, context, async (accounts) => {
    const account = await act(accounts);
    if (typeof account === "number") return account;
    const { used, viewed } = await accounts.usage.thisMonth(account.id);
    const facts = accountFacts({ account, used, viewed }, place.plans);
    context.out(
      json
        ? JSON.stringify(facts, null, 2)
        : `${facts.email} is ${facts.status}, plan ${facts.plan}.`,
    );
    return 0;
  });
}
