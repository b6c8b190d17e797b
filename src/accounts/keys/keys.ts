import type {
  InferResult,
  Kysely,
  Selectable,
  Transaction,
  Updateable,
} from "kysely";
import {
  MAX_KEY_NAME_LENGTH,
  MAX_ACTIVE_KEYS,
  MAX_KEPT_KEYS,
  OVERLAPS,
  type Overlap,
} from "../../contract/credentials.ts";
import { audit } from "../audit.ts";
import type { AccountsContext, Page } from "../context.ts";
import type {
  ApiAccountTable,
  ApiKeyTable,
  Tables,
} from "../database/tables.ts";
import { transact } from "../database/transact.ts";
import { monthAt } from "../metering/month.ts";
import { findAccount } from "../users/account-store.ts";
import { anonymizeKeyUsage } from "../users/anonymize-usage.ts";
import { normalizeEmail } from "../users/email.ts";
import {
  displayParts,
  generateKey,
  hashKey,
  stateOf,
  type KeyState,
  type Random,
} from "./api-key.ts";
import {
  parseKeySelector,
  type KeyFilter,
  isKeyEnd,
  type KeyEnd,
} from "./key-selector.ts";

/** The name of a key: one printable line, or empty. */
const KEY_NAME = new RegExp(
  String.raw`^[^\p{C}\p{Zl}\p{Zp}]{0,${MAX_KEY_NAME_LENGTH}}$`,
  "u",
);

/** Keys with the same display prefix differ only in their last four, so a new key tries to avoid that. */
const PREFIX_ATTEMPTS = 5;

/** SQLite and PostgreSQL limit the parameters of a statement to some thousands. */
const DELETED_AT_ONCE = 500;

/** The time before its end at which a key's owner is notified. Keys with a shorter lifetime get no notice. */
const NOTICE_AHEAD_MS = 7 * 86_400_000;

/** Keys per call, so that mails are not sent by the thousand. */
const MAX_NOTICES_PER_CALL = 200;

/** A stored key as lists show it, with its account; times in epoch milliseconds. */
export type KeyRecord = Readonly<Omit<SelectedKey, "suspendedAt">> & {
  readonly state: KeyState;
  readonly accountSuspended: boolean;
};

type SelectedKey = InferResult<ReturnType<typeof selectKeys>>[number];

/** The columns that decide whether a key works. */
export type KeyRow = Pick<
  Selectable<ApiKeyTable>,
  "id" | "account_id" | "expires_at" | "revoked_at"
> &
  Pick<Selectable<ApiAccountTable>, "plan" | "suspended_at">;

/** A key that expires soon. */
export interface EndingKey {
  readonly email: string;
  /** As lists show it. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly endsAt: number;
}

type NoAccount = { readonly outcome: "no_account" };
/** The account already has as many active keys as allowed. */
type TooManyKeys = { readonly outcome: "too_many_keys"; readonly most: number };

export type CreateKeyOutcome =
  /** `key` is shown once and not stored. */
  | {
      readonly outcome: "created";
      readonly key: string;
      readonly record: KeyRecord;
    }
  | TooManyKeys
  | { readonly outcome: "invalid_name" }
  /** The end has passed, or is more than `MAX_KEY_DAYS` away. */
  | { readonly outcome: "invalid_end" }
  | NoAccount;

export type ListKeysOutcome =
  | { readonly outcome: "listed"; readonly keys: readonly KeyRecord[] }
  | NoAccount;

/** The reason why a selector does not select one usable key. */
export type KeySelectionFailure =
  | { readonly outcome: "not_found" }
  /** Several keys match; the last four characters tell them apart. */
  | { readonly outcome: "ambiguous"; readonly matches: readonly KeyRecord[] }
  /** The key was already revoked or expired. */
  | { readonly outcome: "already_ended"; readonly record: KeyRecord }
  /** Not a selector; the problem is a sentence. */
  | { readonly outcome: "invalid_selector"; readonly problem: string }
  | NoAccount;

export type RevokeKeyOutcome =
  | { readonly outcome: "revoked"; readonly record: KeyRecord }
  | KeySelectionFailure;

export type RenameKeyOutcome =
  | { readonly outcome: "renamed"; readonly record: KeyRecord }
  | { readonly outcome: "invalid_name" }
  | KeySelectionFailure;

export type RotateKeyOutcome =
  | {
      readonly outcome: "rotated";
      /** The new key; shown once and not stored. */
      readonly key: string;
      readonly record: KeyRecord;
      /** The old key as it is now: revoked, or with its new end. */
      readonly old: KeyRecord;
      /** The old key as it was. */
      readonly before: KeyRecord;
    }
  | TooManyKeys
  | KeySelectionFailure;

/** Narrows a selection of keys to one account. */
export interface KeyScope {
  readonly email?: string;
}

/** The keys of accounts. Each change is in the audit log. */
export class Keys {
  readonly #context: AccountsContext;

  constructor(context: AccountsContext) {
    this.#context = context;
  }

  /** Creates a key for an account. The name is for its owner. Without an end it works until it is revoked. */
  async create(
    email: string,
    givenName = "",
    end: KeyEnd | null = null,
  ): Promise<CreateKeyOutcome> {
    const name = givenName.trim();
    if (!KEY_NAME.test(name)) return { outcome: "invalid_name" };
    return this.#transact(async (db, nowMs) => {
      const endMs = end?.(nowMs) ?? null;
      if (endMs !== null && !isKeyEnd(endMs, nowMs))
        return { outcome: "invalid_end" };
      const accountId = await accountIdOf(db, email);
      if (accountId === null) return { outcome: "no_account" };
      if ((await countKeys(db, accountId, nowMs)) >= MAX_ACTIVE_KEYS)
        return { outcome: "too_many_keys", most: MAX_ACTIVE_KEYS };
      const lifetimeMs = endMs === null ? null : endMs - nowMs;
      const made = await this.#insert(db, accountId, name, lifetimeMs, nowMs);
      await purgeSurplusKeys(db, accountId, nowMs);
      const detail = describeKey(made.record);
      await audit(this.#context, db, "key_created", accountId, detail);
      return { outcome: "created", ...made };
    });
  }

  /** Lists the keys of one account, or of all, oldest first, including ended ones. */
  async list(scope: KeyScope = {}): Promise<ListKeysOutcome> {
    const { clock, db } = this.#context;
    const filter = await filterOf(db, scope);
    return filter === null
      ? { outcome: "no_account" }
      : { outcome: "listed", keys: await readKeys(db, clock(), filter) };
  }

  /** Returns a page of an account's keys, oldest first, including ended ones. */
  page(accountId: number, page: Page): Promise<KeyRecord[]> {
    const { clock, db } = this.#context;
    return readKeys(db, clock(), { "api_key.account_id": accountId }, page);
  }

  /** Returns how many keys an account has, including ended ones. */
  count(accountId: number): Promise<number> {
    return countKeys(this.#context.db, accountId);
  }

  /** Gives a key another name. For selectors see `revoke`. */
  async rename(
    selector: string | number,
    givenName: string,
    scope: KeyScope = {},
  ): Promise<RenameKeyOutcome> {
    const name = givenName.trim();
    if (!KEY_NAME.test(name)) return { outcome: "invalid_name" };
    return this.#transact(async (db, nowMs) => {
      const found = await oneActiveKey(db, selector, scope, nowMs);
      if (found.outcome !== "found") return found;
      const { record: before } = found;
      const record = await changeKey(db, before.id, { name }, nowMs);
      const detail = `${shownKey(record)} from ${quoted(before.name)} to ${quoted(name)}`;
      if (name !== before.name)
        await audit(this.#context, db, "key_renamed", record.accountId, detail);
      return { outcome: "renamed", record };
    });
  }

  /** Revokes a key permanently. For selectors see `parseKeySelector`; a number is the key's id. */
  revoke(
    selector: string | number,
    scope: KeyScope = {},
  ): Promise<RevokeKeyOutcome> {
    return this.#transact(async (db, nowMs) => {
      const found = await oneActiveKey(db, selector, scope, nowMs);
      if (found.outcome !== "found") return found;
      const { accountId, id } = found.record;
      const record = await changeKey(db, id, { revoked_at: nowMs }, nowMs);
      const detail = shownKey(record);
      await audit(this.#context, db, "key_revoked", accountId, detail);
      return { outcome: "revoked", record };
    });
  }

  /** Replaces a key by a new one of the same lifetime. The old one keeps working for the overlap. */
  rotate(
    selector: string | number,
    overlap: Overlap,
    scope: KeyScope = {},
  ): Promise<RotateKeyOutcome> {
    return this.#transact(async (db, nowMs) => {
      const found = await oneActiveKey(db, selector, scope, nowMs);
      if (found.outcome !== "found") return found;
      const { accountId, expiresAt, id, lifetimeMs, name } = found.record;
      // Rotating a key that is about to end does not extend it.
      const ending =
        OVERLAPS[overlap] === 0
          ? { revoked_at: nowMs }
          : {
              expires_at: Math.min(
                nowMs + OVERLAPS[overlap],
                expiresAt ?? Infinity,
              ),
              // Its owner knows of the end, and has a replacement.
              end_told_at: nowMs,
            };
      const active = await countKeys(db, accountId, nowMs);
      if (active - ("revoked_at" in ending ? 1 : 0) >= MAX_ACTIVE_KEYS)
        return { outcome: "too_many_keys", most: MAX_ACTIVE_KEYS };
      // A key made for 90 days is replaced by one for another 90 days.
      const made = await this.#insert(db, accountId, name, lifetimeMs, nowMs);
      const change = { ...ending, replaced_by: made.record.id };
      const old = await changeKey(db, id, change, nowMs);
      await purgeSurplusKeys(db, accountId, nowMs);
      const detail = `${shownKey(old)}, replaced by ${describeKey(made.record)}; the old one ${old.expiresAt === null || old.state === "revoked" ? "no longer works" : `works until ${minuteOf(old.expiresAt)}`}`;
      await audit(this.#context, db, "key_rotated", accountId, detail);
      return { outcome: "rotated", ...made, old, before: found.record };
    });
  }

  /** Deletes a new key that could not be shown, and restores the key that it replaced, if any. */
  takeBack(id: number, replaced: KeyRecord | null): Promise<void> {
    return this.#transact(async (db, nowMs) => {
      const [made] = await readKeys(db, nowMs, { "api_key.id": id });
      if (made === undefined) return;
      await db.deleteFrom("api_key").where("id", "=", id).execute();
      if (replaced !== null) {
        const { expiresAt: expires_at, revokedAt: revoked_at } = replaced;
        const told = { end_told_at: null, replaced_by: null };
        const earlier = { expires_at, revoked_at, ...told };
        const restored = db.updateTable("api_key").set(earlier);
        await restored.where("id", "=", replaced.id).execute();
      }
      const detail = `${shownKey(made)} could not be shown`;
      await audit(this.#context, db, "key_taken_back", made.accountId, detail);
    });
  }

  /**
   * Claims keys that expire within a week by their owner's choice and have had no notice; each is claimed once, by the
   * first process. Keys of accounts without a user are skipped, because the address is unconfirmed.
   */
  async claimEnding(): Promise<EndingKey[]> {
    const { clock, db } = this.#context;
    const nowMs = clock();
    const rows = await db
      .updateTable("api_key")
      .set({ end_told_at: nowMs })
      .where("end_told_at", "is", null)
      .where("id", "in", (select) =>
        select
          .selectFrom("api_key")
          .innerJoin("api_account", "api_account.id", "api_key.account_id")
          .select("api_key.id")
          .where("api_account.user_id", "is not", null)
          .where("api_key.end_told_at", "is", null)
          .where("api_key.revoked_at", "is", null)
          .where("api_key.lifetime_ms", ">", NOTICE_AHEAD_MS)
          .where("api_key.expires_at", ">", nowMs)
          .where("api_key.expires_at", "<=", nowMs + NOTICE_AHEAD_MS)
          .limit(MAX_NOTICES_PER_CALL),
      )
      .returning(["id", "expires_at"])
      .execute();
    const ending: EndingKey[] = [];
    for (const { expires_at, id } of rows) {
      const [key] = await readKeys(db, nowMs, { "api_key.id": id });
      if (key === undefined || expires_at === null) continue;
      ending.push({ email: key.email, key: shownKey(key), endsAt: expires_at });
    }
    return ending;
  }

  #transact<Outcome>(
    act: (db: Transaction<Tables>, nowMs: number) => Promise<Outcome>,
  ): Promise<Outcome> {
    const { clock, db } = this.#context;
    return transact(db, (trx) => act(trx, clock()));
  }

  /** Creates a key for an account. The key itself is only in the result. */
  async #insert(
    db: Kysely<Tables>,
    accountId: number,
    name: string,
    lifetimeMs: number | null,
    nowMs: number,
  ): Promise<{ key: string; record: KeyRecord }> {
    const key = await drawKey(db, this.#context.random);
    const { prefix, lastFour } = displayParts(key);
    const { id } = await db
      .insertInto("api_key")
      .values({
        account_id: accountId,
        hash: hashKey(key),
        prefix,
        last_four: lastFour,
        name,
        created_at: nowMs,
        expires_at: lifetimeMs === null ? null : nowMs + lifetimeMs,
        lifetime_ms: lifetimeMs,
        end_told_at: null,
        replaced_by: null,
        revoked_at: null,
        last_used_at: null,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { key, record: await keyById(db, id, nowMs) };
  }
}

/** Writes a key as lists show it: enough to select it, too little to use it. */
export function shownKey({
  lastFour,
  prefix,
}: Pick<KeyRecord, "prefix" | "lastFour">): string {
  return `${prefix}...${lastFour}`;
}

/** Describes a new key for the audit log, with its end if it has one. */
function describeKey(record: KeyRecord): string {
  return record.expiresAt === null
    ? shownKey(record)
    : `${shownKey(record)}, which works until ${minuteOf(record.expiresAt)}`;
}

/** Writes a name in quotes, or that there is none. */
function quoted(name: string): string {
  return name === "" ? "no name" : `“${name}”`;
}

/** Writes a time to the minute: `2026-11-15 06:00 UTC`. */
function minuteOf(epochMs: number): string {
  const iso = new Date(epochMs).toISOString();
  return `${iso.slice(0, 16).replace("T", " ")} UTC`;
}

/** Finds the id of the account of an address; null if there is none. */
async function accountIdOf(
  db: Kysely<Tables>,
  address: string,
): Promise<number | null> {
  const email = normalizeEmail(address);
  const account = email === null ? null : await findAccount(db, { email });
  return account?.id ?? null;
}

/** Selects the keys of a scope; null if the account does not exist. */
async function filterOf(
  db: Kysely<Tables>,
  { email }: KeyScope,
): Promise<KeyFilter | null> {
  if (email === undefined) return {};
  const accountId = await accountIdOf(db, email);
  return accountId === null ? null : { "api_key.account_id": accountId };
}

async function oneActiveKey(
  db: Kysely<Tables>,
  given: string | number,
  scope: KeyScope,
  nowMs: number,
): Promise<
  | { readonly outcome: "found"; readonly record: KeyRecord }
  | KeySelectionFailure
> {
  const selector =
    typeof given === "number"
      ? { "api_key.id": given }
      : parseKeySelector(given);
  if (typeof selector === "string")
    return { outcome: "invalid_selector", problem: selector };
  const filter = await filterOf(db, scope);
  if (filter === null) return { outcome: "no_account" };
  const matches = await readKeys(db, nowMs, { ...filter, ...selector });
  const active = matches.filter((record) => record.state === "active");
  if (active.length > 1) return { outcome: "ambiguous", matches: active };
  const record = active[0] ?? matches.at(-1);
  if (record === undefined) return { outcome: "not_found" };
  return record.state === "active"
    ? { outcome: "found", record }
    : { outcome: "already_ended", record };
}

/** Reads the selected keys, oldest first; all of them, or a page. */
async function readKeys(
  db: Kysely<Tables>,
  nowMs: number,
  filter: KeyFilter,
  page: Page | null = null,
): Promise<KeyRecord[]> {
  let query = selectKeys(db, nowMs)
    .where((where) => where.and(filter))
    .orderBy("api_key.created_at")
    .orderBy("api_key.id");
  if (page !== null) query = query.limit(page.limit).offset(page.offset);
  return (await query.execute()).map((row) => recordOf(row, nowMs));
}

function recordOf(
  { suspendedAt, ...row }: SelectedKey,
  nowMs: number,
): KeyRecord {
  return {
    ...row,
    state: stateOf(row.revokedAt, row.expiresAt, nowMs),
    accountSuspended: suspendedAt !== null,
  };
}

async function keyById(
  db: Kysely<Tables>,
  id: number,
  nowMs: number,
): Promise<KeyRecord> {
  const [key] = await readKeys(db, nowMs, { "api_key.id": id });
  if (key === undefined) throw new Error(`There is no key ${id}.`);
  return key;
}

function selectKeys(db: Kysely<Tables>, nowMs: number) {
  const month = monthAt(nowMs);
  return db
    .selectFrom("api_key")
    .innerJoin("api_account", "api_account.id", "api_key.account_id")
    .select((select) => [
      "api_key.id",
      "api_key.account_id as accountId",
      "api_key.prefix",
      "api_key.last_four as lastFour",
      "api_key.name",
      "api_key.created_at as createdAt",
      "api_key.expires_at as expiresAt",
      "api_key.lifetime_ms as lifetimeMs",
      "api_key.replaced_by as replacedBy",
      "api_key.revoked_at as revokedAt",
      "api_key.last_used_at as lastUsedAt",
      "api_account.email",
      "api_account.plan",
      "api_account.suspended_at as suspendedAt",
      // Recorded answers in the current month.
      select.fn
        .coalesce(
          select
            .selectFrom("api_usage_hour")
            .select(({ fn }) => fn.sum<number>("used").as("used"))
            .whereRef("api_usage_hour.key_id", "=", "api_key.id")
            .where("api_usage_hour.hour", ">=", month.startMs)
            .where("api_usage_hour.hour", "<", month.endMs),
          select.lit(0),
        )
        .as("usedThisMonth"),
    ]);
}

/** Changes a key and returns the result. */
async function changeKey(
  db: Kysely<Tables>,
  id: number,
  change: Updateable<ApiKeyTable>,
  nowMs: number,
): Promise<KeyRecord> {
  await db.updateTable("api_key").set(change).where("id", "=", id).execute();
  return keyById(db, id, nowMs);
}

/** Counts the keys of an account: those that are active at a time, or all. */
async function countKeys(
  db: Kysely<Tables>,
  accountId: number,
  activeAt: number | null = null,
): Promise<number> {
  let query = db
    .selectFrom("api_key")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId);
  if (activeAt !== null)
    query = query
      .where("revoked_at", "is", null)
      .where((where) =>
        where.or([
          where("expires_at", "is", null),
          where("expires_at", ">", activeAt),
        ]),
      );
  return (await query.executeTakeFirstOrThrow()).count;
}

/** Deletes the keys of an account that ended first, beyond the limit; their usage stays in the sums. */
async function purgeSurplusKeys(
  db: Kysely<Tables>,
  accountId: number,
  nowMs: number,
): Promise<void> {
  const surplus = (await countKeys(db, accountId)) - MAX_KEPT_KEYS;
  if (surplus <= 0) return;
  const rows = await db
    .selectFrom("api_key")
    .select("id")
    .where("account_id", "=", accountId)
    .where((where) =>
      where.or([
        where("revoked_at", "is not", null),
        where("expires_at", "<=", nowMs),
      ]),
    )
    .orderBy(({ fn }) => fn.coalesce("revoked_at", "expires_at"))
    .orderBy("id")
    .limit(surplus)
    .execute();
  for (let start = 0; start < rows.length; start += DELETED_AT_ONCE) {
    const ids = rows.slice(start, start + DELETED_AT_ONCE).map(({ id }) => id);
    await anonymizeKeyUsage(db, ids);
    await db.deleteFrom("api_key").where("id", "in", ids).execute();
  }
}

async function drawKey(db: Kysely<Tables>, random: Random): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const key = generateKey(random);
    const { prefix } = displayParts(key);
    const same = await db
      .selectFrom("api_key")
      .select("id")
      .where("prefix", "=", prefix)
      .executeTakeFirst();
    if (same === undefined || attempt === PREFIX_ATTEMPTS) return key;
  }
}
