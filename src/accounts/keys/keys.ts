import type { Kysely } from "kysely";
import { findAccount } from "../users/account-store.ts";
import { normalizeEmail } from "../users/email.ts";
import { isKeyEnd, type KeyEnd } from "./key-end.ts";
import {
  MAX_KEY_NAME_LENGTH,
  MAX_ACTIVE_KEYS,
  MAX_KEPT_KEYS,
  OVERLAPS,
  type Overlap,
} from "../../contract/credentials.ts";
import { parseKeySelector, type KeySelector } from "./key-selector.ts";
import {
  countActiveKeys,
  countKeys,
  deleteKey,
  endKey,
  purgeSurplusKeys,
  insertKey,
  listKeys,
  restoreKey,
  selectKeys,
  shownKey,
  type KeyRecord,
} from "./key-store.ts";
import { audit } from "../audit.ts";
import type { AccountsContext, Page } from "../context.ts";
import type { Tables } from "../database/tables.ts";
import { transact } from "../database/transact.ts";

/** The name of a key: one printable line, or empty. */
const KEY_NAME = new RegExp(
  String.raw`^[^\p{C}\p{Zl}\p{Zp}]{0,${MAX_KEY_NAME_LENGTH}}$`,
  "u",
);

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

/** Why a selector does not select one usable key. */
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
    const context = this.#context;
    return transact(context.db, async (db) => {
      const nowMs = context.clock();
      const endMs = end?.(nowMs) ?? null;
      if (endMs !== null && !isKeyEnd(endMs, nowMs))
        return { outcome: "invalid_end" };
      const accountId = await scopeOf(db, { email });
      if (accountId === "no_account" || accountId === null)
        return { outcome: "no_account" };
      if ((await countActiveKeys(db, accountId, nowMs)) >= MAX_ACTIVE_KEYS)
        return { outcome: "too_many_keys", most: MAX_ACTIVE_KEYS };
      const { random } = context;
      const lifetimeMs = endMs === null ? null : endMs - nowMs;
      const wanted = { lifetimeMs, name, nowMs, random };
      const made = await insertKey(db, accountId, wanted);
      await purgeSurplusKeys(db, accountId, MAX_KEPT_KEYS, nowMs);
      await audit(
        context,
        db,
        "key_created",
        accountId,
        describeKey(made.record),
      );
      return { outcome: "created", ...made };
    });
  }

  /** The keys of one account, or of all, oldest first, including ended ones. */
  async list(scope: KeyScope = {}): Promise<ListKeysOutcome> {
    const { clock, db } = this.#context;
    const accountId = await scopeOf(db, scope);
    if (accountId === "no_account") return { outcome: "no_account" };
    return {
      outcome: "listed",
      keys: await listKeys(db, accountId, clock()),
    };
  }

  /** A page of an account's keys, oldest first, including ended ones. */
  page(accountId: number, page: Page): Promise<KeyRecord[]> {
    const { clock, db } = this.#context;
    return listKeys(db, accountId, clock(), page);
  }

  /** How many keys an account has, including ended ones. */
  count(accountId: number): Promise<number> {
    return countKeys(this.#context.db, accountId);
  }

  /** Revokes a key permanently. For selectors see `parseKeySelector`; a number is the key's id. */
  revoke(
    selector: string | number,
    scope: KeyScope = {},
  ): Promise<RevokeKeyOutcome> {
    const context = this.#context;
    return transact(context.db, async (db) => {
      const nowMs = context.clock();
      const found = await oneActiveKey(db, selector, scope, nowMs);
      if (found.outcome !== "found") return found;
      const { accountId, id } = found.record;
      const record = await endKey(db, id, { revoked_at: nowMs }, nowMs);
      await audit(context, db, "key_revoked", accountId, shownKey(record));
      return { outcome: "revoked", record };
    });
  }

  /** Replaces a key by a new one of the same lifetime. The old one keeps working for the overlap. */
  rotate(
    selector: string | number,
    overlap: Overlap,
    scope: KeyScope = {},
  ): Promise<RotateKeyOutcome> {
    const context = this.#context;
    return transact(context.db, async (db) => {
      const nowMs = context.clock();
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
      const active = await countActiveKeys(db, accountId, nowMs);
      if (active - ("revoked_at" in ending ? 1 : 0) >= MAX_ACTIVE_KEYS)
        return { outcome: "too_many_keys", most: MAX_ACTIVE_KEYS };
      const { random } = context;
      // A key made for 90 days is replaced by one for another 90 days.
      const wanted = { lifetimeMs, name, nowMs, random };
      const made = await insertKey(db, accountId, wanted);
      const old = await endKey(db, id, ending, nowMs);
      await purgeSurplusKeys(db, accountId, MAX_KEPT_KEYS, nowMs);
      await audit(
        context,
        db,
        "key_rotated",
        accountId,
        `${shownKey(old)} -> ${describeKey(made.record)}, overlap ${overlap}`,
      );
      return { outcome: "rotated", ...made, old, before: found.record };
    });
  }

  /** Deletes a new key that could not be shown, and restores the key that it replaced, if any. */
  takeBack(id: number, replaced: KeyRecord | null): Promise<void> {
    const context = this.#context;
    return transact(context.db, async (db) => {
      const nowMs = context.clock();
      const [made] = await selectKeys(db, { by: "id", id }, null, nowMs);
      if (made === undefined) return;
      await deleteKey(db, id);
      if (replaced !== null) await restoreKey(db, replaced);
      await audit(
        context,
        db,
        "key_taken_back",
        made.accountId,
        `${shownKey(made)} could not be shown`,
      );
    });
  }
}

/** Describes a new key for the audit log, with its end if it has one. */
function describeKey(record: KeyRecord): string {
  return record.expiresAt === null
    ? shownKey(record)
    : `${shownKey(record)} until ${new Date(record.expiresAt).toISOString()}`;
}

/** The id of the account that a scope names, null for all accounts. */
async function scopeOf(
  db: Kysely<Tables>,
  { email }: KeyScope,
): Promise<number | null | "no_account"> {
  if (email === undefined) return null;
  const normalized = normalizeEmail(email);
  const account =
    normalized === null ? null : await findAccount(db, normalized);
  return account?.id ?? "no_account";
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
  const selector: KeySelector =
    typeof given === "number"
      ? { by: "id", id: given }
      : parseKeySelector(given);
  if (selector.by === "nothing")
    return { outcome: "invalid_selector", problem: selector.problem };
  const accountId = await scopeOf(db, scope);
  if (accountId === "no_account") return { outcome: "no_account" };
  const matches = await selectKeys(db, selector, accountId, nowMs);
  const active = matches.filter((record) => record.state === "active");
  if (active.length > 1) return { outcome: "ambiguous", matches: active };
  const record = active[0] ?? matches.at(-1);
  if (record === undefined) return { outcome: "not_found" };
  return record.state === "active"
    ? { outcome: "found", record }
    : { outcome: "already_ended", record };
}
