import { existsSync } from "node:fs";
import type { Accounts } from "../../accounts/accounts.ts";
import type { AuditEntry } from "../../accounts/audit.ts";
import { backupSqlite } from "../../accounts/database/backup.ts";
import { databaseOf } from "../../accounts/database/database.ts";
import type {
  AccountUse,
  ChangeSuspensionOutcome,
  TwoFactorOff,
} from "../../accounts/users/users.ts";
import type { StripeAccess } from "../../billing/billing-config.ts";
import { BILLING } from "../../settings/billing-settings.ts";
import {
  command,
  CommandError,
  NO_OPERANDS,
  operandsOf,
  type Command,
  type Context,
} from "../command.ts";
import {
  accountsCommand,
  operator,
  type AccountsPlace,
} from "../data-folder.ts";
import { counted, formatCount, formatTime, isoTime } from "../output/format.ts";
import { show, showList } from "../output/show.ts";
import {
  DATABASE_URL,
  DATA_DIR,
  DESPITE_SUBSCRIPTION,
  EMAIL,
  JSON_OUTPUT,
  TO,
} from "../settings/settings.ts";
import {
  accountFacts,
  describeSubscribed,
  noAccount,
  unknownPlan,
} from "./account-facts.ts";
import { accountsShow } from "./accounts-show.ts";

const IN_FORCE =
  "Takes effect in a running service within two seconds, and is recorded in the audit log.";

const list = accountsCommand("accounts list", {
  summary: "List accounts by address, with plan and usage this month.",
  options: { json: JSON_OUTPUT },
  async run(accounts, { json, plans }, context) {
    const listed = await accounts.keys.list();
    const active = new Map<string, number>();
    if (listed.outcome === "listed")
      for (const { email, state } of listed.keys)
        if (state === "active") active.set(email, (active.get(email) ?? 0) + 1);
    const all = (await accounts.users.list()).map((each) =>
      Object.assign(accountFacts(each, plans), {
        active_keys: active.get(each.account.email) ?? 0,
      }),
    );
    showList(context, json, all, {
      facts: (each) => each,
      columns: {
        ACCOUNT: ({ email }) => email,
        PLAN: ({ plan }) => plan,
        STATUS: ({ status }) => status,
        KEYS: ({ active_keys: count }) => formatCount(count),
        USED: ({ used }) => formatCount(used),
        QUOTA: ({ quota }) => formatCount(quota),
      },
      empty: "No accounts yet. Create one with keys create --email ADDRESS.",
    });
  },
});

const setPlan = accountsCommand("accounts set-plan", {
  operands: operandsOf("EMAIL PLAN"),
  summary: "Change an account's plan; the new quota applies from this month.",
  details: [
    IN_FORCE,
    "Refused while the account has an active subscription: the owner can change or cancel it, or you can at Stripe. With --despite-subscription, the plan changes anyway; the subscription continues and is charged, and the plan stays until the subscription changes to another price.",
  ],
  options: { despiteSubscription: DESPITE_SUBSCRIPTION, json: JSON_OUTPUT },
  async run(accounts, values, context, [email = "", plan = ""]) {
    const changed = await accounts.users.setPlan(email, plan, values);
    if (changed.outcome === "no_account") throw noAccount(email);
    if (changed.outcome === "unknown_plan")
      throw unknownPlan(plan, changed.known);
    if (changed.outcome === "subscribed")
      throw new CommandError(describeSubscribed(changed.subscription));
    await printChanged(accounts, changed, values, context);
  },
});

/** The methods of `Users` by the word of their command. */
const CHANGES = {
  suspend: "suspend",
  resume: "resume",
  "disable-2fa": "disableTwoFactor",
} as const;

const suspend = changeCommand(
  "suspend",
  "Suspend an account: its keys are refused until you resume it.",
);
const resume = changeCommand(
  "resume",
  "Resume a suspended account: its keys work again.",
);
const disableTwoFactor = changeCommand(
  "disable-2fa",
  "Turn off two-factor authentication for a user who has lost access to it.",
);

function changeCommand(word: keyof typeof CHANGES, summary: string): Command {
  return accountsCommand(`accounts ${word}`, {
    operands: operandsOf("EMAIL"),
    summary,
    details: [IN_FORCE],
    options: { json: JSON_OUTPUT },
    async run(accounts, values, context, [email = ""]) {
      const changed: ChangeSuspensionOutcome | TwoFactorOff =
        await accounts.users[CHANGES[word]](email);
      if (changed.outcome === "no_account") throw noAccount(email);
      if (changed.outcome === "changed_deleted") {
        const facts = {
          email: changed.email,
          status: "deleted",
          suspended_at: isoTime(changed.suspendedAt),
        };
        show(context, values.json, facts, () => [
          changed.suspendedAt === null
            ? `The account ${changed.email} was deleted. Its suspension is lifted: a new account with this address will be active.`
            : `The account ${changed.email} was deleted. A new account with this address will be suspended.`,
        ]);
        return;
      }
      const first =
        changed.outcome === "changed"
          ? []
          : [
              `Two-factor authentication ${changed.wasOn ? "is off" : "was not on"}.`,
            ];
      await printChanged(accounts, changed, values, context, first);
    },
  });
}

/** Prints a changed account, with lines before it. */
async function printChanged(
  accounts: Accounts,
  { account }: Pick<AccountUse, "account">,
  { json, plans }: { json: boolean; plans: AccountsPlace["plans"] },
  context: Context,
  first: readonly string[] = [],
): Promise<void> {
  const used = await accounts.usage.thisMonth(account.id);
  const facts = accountFacts({ account, used }, plans);
  show(context, json, facts, () => [
    ...first,
    `${facts.email} is ${facts.status}, plan ${facts.plan}.`,
  ]);
}

const deleteAccount = accountsCommand("accounts delete", {
  operands: operandsOf("EMAIL"),
  summary: "Delete an account with its keys and all personal data.",
  details: [
    "This cannot be undone. Usage is kept only in totals over all deleted accounts, and the audit log shows the account as a number. A running service refuses its keys within two seconds.",
    "If the account has a Stripe customer, that is deleted first: the subscription ends at once, the card is forgotten, and invoices stay at Stripe. If that fails, the account is not deleted. With --despite-subscription it is deleted anyway, and you delete the customer yourself.",
  ],
  options: {
    despiteSubscription: DESPITE_SUBSCRIPTION,
    json: JSON_OUTPUT,
    secretKey: BILLING.secretKey,
    apiUrl: BILLING.apiUrl,
  },
  async run(accounts, values, context, [typed = ""]) {
    const { apiUrl, despiteSubscription, json, secretKey } = values;
    const account = await accounts.users.find(typed);
    if (account === null) {
      const removed = await accounts.users.removeSignUp(typed);
      if (removed === null) throw noAccount(typed);
      const { email } = removed;
      const facts = { email, status: "deleted", customer_left: null };
      show(context, json, facts, () => [
        `Deleted ${email}, a sign-up that was never confirmed.`,
      ]);
      return;
    }
    const { email } = account;
    const stripe = secretKey === null ? null : { secretKey, apiUrl };
    const left = await closeCustomerOf(accounts, account.id, stripe);
    if (left !== null && !despiteSubscription)
      throw new CommandError(
        `${email} was not deleted: its Stripe customer could not be deleted and might still be charged. ${left.reason} Try again, or use --despite-subscription and delete ${left.customerId} yourself.`,
      );
    const deleted = await accounts.users.delete(email);
    if (deleted.outcome === "no_account") throw noAccount(typed);
    const customer = left?.customerId ?? null;
    const facts = { email, status: "deleted", customer_left: customer };
    show(context, json, facts, () => [`Deleted ${email} and its keys.`]);
    if (left !== null)
      context.err(
        `Customer ${left.customerId} still exists at Stripe and might still be charged. Delete it there. ${left.reason}`,
      );
  },
});

/** Deletes an account's Stripe customer. Returns the one that could not be deleted, and why, or null. */
async function closeCustomerOf(
  accounts: Accounts,
  accountId: number,
  stripe: StripeAccess | null,
): Promise<{ customerId: string; reason: string } | null> {
  const customerId = await accounts.billing.customer(accountId);
  if (customerId === null) return null;
  if (stripe === null)
    return { customerId, reason: "STRIPE_SECRET_KEY is not set." };
  const { closeCustomer } = await import("../../billing/stripe-client.ts");
  const closed = await closeCustomer(stripe, customerId);
  return closed.outcome === "closed"
    ? null
    : { customerId, reason: `${closed.reason}.` };
}

const audit = accountsCommand("accounts audit", {
  summary: "Show who did what to accounts and keys, oldest first.",
  details: [
    "An operator appears as a system user name and a command, a deleted account as a number.",
  ],
  options: { email: EMAIL, json: JSON_OUTPUT },
  async run(accounts, { email, json }, context) {
    const account = email === null ? null : await accounts.users.find(email);
    if (email !== null && account === null) throw noAccount(email);
    const entries = await accounts.auditLog.list(account?.id ?? null);
    showList(context, json, entries, {
      facts: (entry) => ({
        at: isoTime(entry.at),
        actor: entry.actor,
        action: entry.action,
        account_id: entry.accountId,
        email: entry.email,
        detail: entry.detail,
      }),
      columns: {
        TIME: ({ at }) => formatTime(at),
        WHO: ({ actor }) => actor,
        WHAT: ({ action }) => action,
        ACCOUNT: nameOf,
        DETAIL: ({ detail }) => detail,
      },
      empty: "The audit log is empty.",
    });
  },
});

function nameOf({ accountId, email }: AuditEntry): string {
  if (email !== null) return email;
  return accountId === null ? "all" : `deleted account ${accountId}`;
}

const backup = command({
  operands: operandsOf("FILE"),
  summary:
    "Back up accounts, keys, usage and the audit log to a file. The service may keep running.",
  details: [
    "The file is a consistent copy of the database. To restore it, stop the service, delete accounts.sqlite-wal and accounts.sqlite-shm from the data folder, and replace accounts.sqlite with the copy.",
    "This is for the SQLite database in the data folder. For PostgreSQL, use pg_dump.",
  ],
  options: { dataDir: DATA_DIR, databaseUrl: DATABASE_URL },
  run(place, context, [target = ""]) {
    const file = sqliteFile(place);
    if (backupSqlite(file, target).outcome === "exists")
      throw new CommandError(`${target} already exists. Choose another name.`);
    context.out(`Backed up the accounts in ${place.dataDir} to ${target}.`);
  },
});

/** Returns the file of accounts in a data folder. Fails if there is none. */
function sqliteFile(place: Pick<AccountsPlace, "dataDir" | "databaseUrl">) {
  const database = databaseOf(place);
  if (database.kind === "postgresql")
    throw new CommandError(
      'The accounts are in PostgreSQL. Back them up with pg_dump: see docs/deploying.md, "Backup and restore".',
    );
  if (!existsSync(database.file))
    throw new CommandError(
      `No accounts in ${place.dataDir}. Set the data folder with --data-dir.`,
    );
  return database.file;
}

const migrate: Command = {
  operands: NO_OPERANDS,
  settings: [TO, DATA_DIR],
  summary:
    "Copy accounts, keys, usage and the audit log to a PostgreSQL database.",
  details: [
    "Stop the service first: usage that it counts later is not copied. Either everything is copied or nothing, and a database that already has accounts is refused. The database in the data folder does not change.",
    "Then set DATABASE_URL to the same URL for every command, and start the service.",
  ],
  prepare(reader) {
    const dataDir = reader.read(DATA_DIR);
    const url = reader.require(TO, "");
    const setting = reader.nameOf(TO);
    return async (context) => {
      const file = sqliteFile({ dataDir, databaseUrl: null });
      // Loaded here: no other command needs PostgreSQL's client at once.
      const { moveAccounts } =
        await import("../../accounts/database/move-accounts.ts");
      const moved = await moveAccounts({
        file,
        url,
        setting,
        actor: operator("accounts migrate"),
        nowMs: context.now(),
      });
      if (moved.outcome === "not_empty")
        throw new CommandError(
          "That database already has accounts, and was not changed. Use an empty one.",
        );
      context.out(
        `Copied ${counted(moved.accounts, "account")} with ${counted(moved.keys, "key")}. Now set DATABASE_URL to that URL for serve, keys and accounts.`,
      );
      return 0;
    };
  },
};

export const ACCOUNTS_COMMANDS = {
  list,
  show: accountsShow,
  "set-plan": setPlan,
  suspend,
  resume,
  "disable-2fa": disableTwoFactor,
  delete: deleteAccount,
  audit,
  backup,
  migrate,
};
