import type { Accounts } from "../../accounts/accounts.ts";
import {
  shownKey,
  type KeyRecord,
  type KeySelectionFailure,
} from "../../accounts/keys/keys.ts";
import type { Account } from "../../accounts/users/account-store.ts";
import { ACCOUNTS } from "../../settings/service-settings.ts";
import {
  CommandError,
  misuse,
  NO_OPERANDS,
  operandsOf,
  type Command,
  type Context,
} from "../command.ts";
import { accountsCommand, openAccountsFor } from "../data-folder.ts";
import { formatCount, formatTime, isoTime } from "../output/format.ts";
import { show, showList, type Columns } from "../output/show.ts";
import {
  EMAIL,
  EXPIRES,
  JSON_OUTPUT,
  NAME,
  OVERLAP,
  PLAN,
} from "../settings/settings.ts";
import { describeSubscribed, noAccount, unknownPlan } from "./account-facts.ts";

const GONE = "The account was deleted in the meantime. Try again.";
const PREFIX =
  "PREFIX is the key's first 12 characters, optionally with the last four, as keys list shows it (pd_live_aB3x...9Zk2).";

/** The columns of a list of keys. */
export const KEY_COLUMNS: Columns<KeyRecord> = {
  KEY: shownKey,
  NAME: ({ name }) => name,
  ACCOUNT: ({ email }) => email,
  PLAN: ({ accountSuspended, plan }) =>
    accountSuspended ? `${plan} (suspended)` : plan,
  STATE: ({ expiresAt, state }) =>
    state === "active" && expiresAt !== null
      ? `active until ${formatTime(expiresAt)}`
      : state,
  CREATED: ({ createdAt }) => formatTime(createdAt),
  "LAST USED": ({ lastUsedAt }) =>
    lastUsedAt === null ? "never" : formatTime(lastUsedAt),
  "THIS MONTH": ({ usedThisMonth }) => formatCount(usedThisMonth),
};

/** Makes JSON of a key; times are ISO 8601, UTC. */
export function keyFacts(key: KeyRecord) {
  return {
    key: shownKey(key),
    name: key.name,
    email: key.email,
    plan: key.plan,
    account_suspended: key.accountSuspended,
    state: key.state,
    created_at: isoTime(key.createdAt),
    expires_at: isoTime(key.expiresAt),
    revoked_at: isoTime(key.revokedAt),
    last_used_at: isoTime(key.lastUsedAt),
    used_this_month: key.usedThisMonth,
  };
}

const create: Command = {
  operands: NO_OPERANDS,
  settings: [EMAIL, PLAN, NAME, EXPIRES, ...Object.values(ACCOUNTS)],
  summary: "Create an API key, and its account if it does not exist.",
  details: [
    "Prints the key as the last line of standard output. It is shown only once and not stored. If it cannot be printed, it is withdrawn.",
  ],
  prepare(reader) {
    const place = reader.readAll(ACCOUNTS);
    const email = reader.require(EMAIL, "");
    const plan = reader.read(PLAN);
    const name = reader.read(NAME);
    const expires = reader.read(EXPIRES);
    return async (context) => {
      await using accounts = await openAccountsFor(
        place,
        "keys create",
        context,
      );
      const account = await findOrCreateAccount(accounts, email, plan, context);
      if (account.suspendedAt !== null)
        context.err(
          "The account is suspended. Its keys are refused until you resume it.",
        );
      const made = await accounts.keys.create(account.email, name, expires);
      switch (made.outcome) {
        case "no_account":
          throw new CommandError(GONE);
        case "too_many_keys":
          throw tooManyKeys(made.most);
        case "invalid_name":
          throw invalidName();
        case "invalid_end":
          throw misuse(
            "--expires must be in the future, at most five years ahead.",
          );
        case "created":
      }
      const { expiresAt } = made.record;
      const until =
        expiresAt === null ? "" : `, until ${formatTime(expiresAt)}`;
      context.err(
        `Key for ${account.email}, plan ${account.plan}${until}. It is shown only once:`,
      );
      context.out(made.key);
      await deliverKey(accounts, made.record, null, context);
      return 0;
    };
  },
};

/** Finds or creates an account, and gives it a plan if one was chosen. */
async function findOrCreateAccount(
  accounts: Accounts,
  email: string,
  plan: string | null,
  context: Context,
): Promise<Account> {
  const created = await accounts.users.create(email, plan ?? undefined);
  if (created.outcome === "created") return created.account;
  if (created.outcome === "invalid_email")
    throw misuse(
      `"${email}" is not an email address. Use one such as ada@clinic.example.`,
    );
  if (created.outcome === "unknown_plan")
    throw unknownPlan(plan ?? "", created.known);
  const { account } = created;
  if (plan === null || plan === account.plan) return account;
  const changed = await accounts.users.setPlan(account.email, plan);
  if (changed.outcome === "subscribed")
    throw new CommandError(describeSubscribed(changed.subscription));
  if (changed.outcome !== "changed") throw new CommandError(GONE);
  context.err(`Changed the account's plan from ${account.plan} to ${plan}.`);
  return changed.account;
}

const list = accountsCommand("keys list", {
  summary: "List the API keys of all accounts or of one, oldest first.",
  options: { email: EMAIL, json: JSON_OUTPUT },
  async run(accounts, { email, json }, context) {
    const listed = await accounts.keys.list(email === null ? {} : { email });
    if (listed.outcome === "no_account") throw noAccount(email);
    showList(context, json, listed.keys, {
      facts: keyFacts,
      columns: KEY_COLUMNS,
      empty: "No keys yet. Create one with keys create --email ADDRESS.",
    });
  },
});

const rename = accountsCommand("keys rename", {
  operands: operandsOf("PREFIX"),
  summary: "Give an API key another name.",
  details: [PREFIX],
  options: { name: NAME, email: EMAIL, json: JSON_OUTPUT },
  async run(accounts, { email, json, name }, context, [prefix = ""]) {
    const within = email === null ? {} : { email };
    const renamed = await accounts.keys.rename(prefix, name, within);
    if (renamed.outcome === "invalid_name") throw invalidName();
    if (renamed.outcome !== "renamed")
      throw notSelected(renamed, prefix, email);
    const { record } = renamed;
    show(context, json, keyFacts(record), () => [
      `${shownKey(record)} of ${record.email} ${record.name === "" ? "has no name now" : `is now called ${record.name}`}.`,
    ]);
  },
});

const revoke = accountsCommand("keys revoke", {
  operands: operandsOf("PREFIX"),
  summary:
    "Revoke an API key permanently; a running service refuses it within two seconds.",
  details: [PREFIX],
  options: { email: EMAIL, json: JSON_OUTPUT },
  async run(accounts, { email, json }, context, [prefix = ""]) {
    const within = email === null ? {} : { email };
    const revoked = await accounts.keys.revoke(prefix, within);
    if (revoked.outcome !== "revoked" && revoked.outcome !== "already_ended")
      throw notSelected(revoked, prefix, email);
    const { outcome, record } = revoked;
    show(context, json, keyFacts(record), () => [
      outcome === "revoked"
        ? `Revoked ${shownKey(record)} of ${record.email}.`
        : `${describeEnded(record)} Nothing to do.`,
    ]);
  },
});

const rotate = accountsCommand("keys rotate", {
  operands: operandsOf("PREFIX"),
  summary:
    "Replace an API key with a new one; the old one keeps working for a while.",
  details: [
    PREFIX,
    "Prints the new key as the last line of standard output, or with --json as new_key. It is shown only once and not stored. If it cannot be printed, it is withdrawn.",
  ],
  options: { overlap: OVERLAP, email: EMAIL, json: JSON_OUTPUT },
  async run(accounts, { email, json, overlap }, context, [prefix = ""]) {
    const within = email === null ? {} : { email };
    const rotated = await accounts.keys.rotate(prefix, overlap, within);
    if (rotated.outcome === "too_many_keys") throw tooManyKeys(rotated.most);
    if (rotated.outcome !== "rotated")
      throw notSelected(rotated, prefix, email);
    const { before, key, old, record } = rotated;
    if (!json)
      context.err(
        `${shownKey(old)} of ${old.email} ${endOf(old)}. The new key is shown only once:`,
      );
    const facts = {
      new_key: key,
      record: keyFacts(record),
      old: keyFacts(old),
    };
    show(context, json, facts, () => [key]);
    await deliverKey(accounts, record, before, context);
  },
});

export const KEYS = { create, list, rename, revoke, rotate };

/**
 * Waits until a new key is printed, because it is shown only once. Withdraws it if it cannot be printed; `replaced` is
 * the key that it replaces, in its old state.
 */
async function deliverKey(
  accounts: Accounts,
  made: KeyRecord,
  replaced: KeyRecord | null,
  context: Context,
): Promise<void> {
  const problem = await context.delivered();
  if (problem === null) return;
  try {
    await accounts.keys.takeBack(made.id, replaced);
  } catch (error) {
    context.err(
      `The new key ${shownKey(made)} could not be printed, and could not be withdrawn either. Revoke it with keys revoke ${shownKey(made)}.`,
    );
    throw error;
  }
  const after = replaced === null ? "" : `; ${shownKey(replaced)} is unchanged`;
  throw new CommandError(
    `${problem.message} The new key was withdrawn${after}.`,
  );
}

function invalidName(): CommandError {
  return misuse("--name must be one line of at most 60 characters.");
}

function tooManyKeys(most: number): CommandError {
  return new CommandError(
    `An account can have at most ${most} active keys. Revoke one, or rotate one with --overlap 0.`,
  );
}

/** Makes the error for a prefix that does not select a key. */
function notSelected(
  failure: KeySelectionFailure,
  prefix: string,
  email: string | null,
): CommandError {
  switch (failure.outcome) {
    case "not_found":
      return new CommandError(
        `No key starts with ${prefix}. Run keys list to see all keys.`,
      );
    case "ambiguous":
      return new CommandError(
        `${failure.matches.length} keys start with ${prefix}. Use ${failure.matches.map(shownKey).join(" or ")}.`,
      );
    case "already_ended":
      return new CommandError(
        `${describeEnded(failure.record)} Create a new key with keys create.`,
      );
    case "invalid_selector":
      return new CommandError(`That is not a key's prefix. ${failure.problem}`);
    default:
      return noAccount(email);
  }
}

function describeEnded(key: KeyRecord): string {
  return `Key ${shownKey(key)} is already ${key.state}.`;
}

function endOf({ expiresAt, state }: KeyRecord): string {
  return state === "active" && expiresAt !== null
    ? `works until ${formatTime(expiresAt)}`
    : `is ${state}`;
}
