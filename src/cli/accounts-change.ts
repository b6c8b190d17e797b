import type { Accounts, ChangeAccountOutcome } from "../accounts/accounts.ts";
import {
  fail,
  refuseMisuse,
  type Command,
  type Context,
  type ExitCode,
} from "./command.ts";
import { accountFacts, noAccount } from "./account-facts.ts";
import {
  ACCOUNTS_SETTINGS,
  missingAccounts,
  openAccountsFor,
  readAccountsPlace,
  type AccountsPlace,
} from "./data-folder.ts";
import { JSON_OUTPUT } from "./settings.ts";

const IN_FORCE =
  "A running service knows of it within five seconds; it stands in the audit log.";

export const accountsSuspendCommand = changeCommand(
  "suspend",
  "EMAIL",
  "Refuse all keys of an account until it is resumed.",
  (accounts, email) => accounts.suspend(email),
);

export const accountsResumeCommand = changeCommand(
  "resume",
  "EMAIL",
  "Let a suspended account's keys work again.",
  (accounts, email) => accounts.resume(email),
);

export const accountsSetPlanCommand = changeCommand(
  "set-plan",
  "EMAIL PLAN",
  "Give an account another plan, with its quota in the month that runs.",
  (accounts, email, plan) => accounts.setPlan(email, plan),
);

type Change = (
  accounts: Accounts,
  email: string,
  plan: string,
) => Promise<ChangeAccountOutcome>;

function changeCommand(
  word: string,
  operands: string,
  summary: string,
  change: Change,
): Command {
  const count = operands.split(" ").length;
  return {
    words: ["accounts", word],
    operands: { text: operands, least: count, most: count },
    settings: [JSON_OUTPUT, ...ACCOUNTS_SETTINGS],
    summary,
    details: [IN_FORCE],
    prepare(reader, [email = "", plan = ""]) {
      const place = readAccountsPlace(reader);
      const json = reader.read(JSON_OUTPUT);
      return (context) =>
        changeAccount({ place, json, email, plan, word }, change, context);
    },
  };
}

async function changeAccount(
  {
    email,
    json,
    place,
    plan,
    word,
  }: {
    place: AccountsPlace;
    json: boolean;
    email: string;
    plan: string;
    word: string;
  },
  change: Change,
  context: Context,
): Promise<ExitCode> {
  const missing = missingAccounts(place);
  if (missing !== null) return fail(context, missing);
  await using accounts = await openAccountsFor(
    place,
    `accounts ${word}`,
    context,
  );
  const outcome = await change(accounts, email, plan);
  if (outcome.outcome === "no_account") return fail(context, noAccount(email));
  if (outcome.outcome === "unknown_plan")
    return refuseMisuse(
      context,
      `There is no plan "${plan}": choose ${outcome.known.join(" or ")}.`,
    );
  const { account } = outcome;
  const used = await accounts.monthlyUse(account.id);
  const facts = accountFacts({ account, used }, place.plans);
  context.out(
    json
      ? JSON.stringify(facts, null, 2)
      : `${facts.email} is ${facts.status}, plan ${facts.plan}.`,
  );
  return 0;
}
