import type { Kysely } from "kysely";
import { findAccount } from "../users/account-store.ts";
import { normalizeEmail } from "../users/email.ts";
import { isKeyEnd, type KeyEnd } from "./key-end.ts";
import {
  LONGEST_KEY_NAME,
  MOST_ACTIVE_KEYS,
  MOST_KEPT_KEYS,
  OVERLAPS,
  type Overlap,
} from "../../contract/key-limits.ts";
import { parseKeySelector, type KeySelector } from "./key-selector.ts";
import {
  countActiveKeys,
  deleteKey,
  endKey,
  forgetSurplusKeys,
  insertKey,
  listKeys as listStoredKeys,
  restoreKey,
  selectKeys,
  shownKey,
  type KeyRecord,
} from "./key-store.ts";
import { audit, type Ledger } from "../context.ts";
import type { Tables } from "../database/tables.ts";
import { transact } from "../database/transact.ts";

/** What a key may be called: one line that can be shown; nothing at all will do. */
const KEY_NAME = new RegExp(
  String.raw`^[^\p{C}\p{Zl}\p{Zp}]{0,${LONGEST_KEY_NAME}}$`,
  "u",
);

type NoAccount = { readonly outcome: "no_account" };
/** As many keys as are allowed work already. */
type TooManyKeys = { readonly outcome: "too_many_keys"; readonly most: number };

export type CreateKeyOutcome =
  /** The key itself: shown once, stored nowhere. */
  | {
      readonly outcome: "created";
      readonly key: string;
      readonly record: KeyRecord;
    }
  | TooManyKeys
  | { readonly outcome: "invalid_name" }
  /** The end has passed, or is more than `LONGEST_KEY_DAYS` away. */
  | { readonly outcome: "invalid_end" }
  | NoAccount;

export type ListKeysOutcome =
  | { readonly outcome: "listed"; readonly keys: readonly KeyRecord[] }
  | NoAccount;

/** Why a selector does not lead to one usable key. */
export type KeySelectionFailure =
  | { readonly outcome: "not_found" }
  /** Several keys fit; their prefixes with their last four characters tell them apart. */
  | { readonly outcome: "ambiguous"; readonly matches: readonly KeyRecord[] }
  /** The key was revoked, or its time ran out, before. */
  | { readonly outcome: "already_ended"; readonly record: KeyRecord }
  /** Not something that can point at a key; the problem is a sentence. */
  | { readonly outcome: "invalid_selector"; readonly problem: string }
  | NoAccount;

export type RevokeKeyOutcome =
  | { readonly outcome: "revoked"; readonly record: KeyRecord }
  | KeySelectionFailure;

export type RotateKeyOutcome =
  | {
      readonly outcome: "rotated";
      /** The new key itself: shown once, stored nowhere. */
      readonly key: string;
      readonly record: KeyRecord;
      /** The old key as it is now: revoked, or with the moment at which it expires. */
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

/** See `Accounts.createKey`. */
export async function createKey(
  ledger: Ledger,
  email: string,
  givenName: string,
  end: KeyEnd | null,
): Promise<CreateKeyOutcome> {
  const name = givenName.trim();
  if (!KEY_NAME.test(name)) return { outcome: "invalid_name" };
  return transact(ledger.db, async (db) => {
    const nowMs = ledger.clock();
    const endMs = end?.(nowMs) ?? null;
    if (endMs !== null && !isKeyEnd(endMs, nowMs))
      return { outcome: "invalid_end" };
    const accountId = await scopeOf(db, { email });
    if (accountId === "no_account" || accountId === null)
      return { outcome: "no_account" };
    if ((await countActiveKeys(db, accountId, nowMs)) >= MOST_ACTIVE_KEYS)
      return { outcome: "too_many_keys", most: MOST_ACTIVE_KEYS };
    const { random } = ledger;
    const lifetimeMs = endMs === null ? null : endMs - nowMs;
    const wanted = { lifetimeMs, name, nowMs, random };
    const made = await insertKey(db, accountId, wanted);
    await forgetSurplusKeys(db, accountId, MOST_KEPT_KEYS, nowMs);
    await audit(ledger, db, "key_created", accountId, madeKey(made.record));
    return { outcome: "created", ...made };
  });
}

/** See `Accounts.listKeys`. */
export async function listKeys(
  { clock, db }: Ledger,
  scope: KeyScope,
): Promise<ListKeysOutcome> {
  const accountId = await scopeOf(db, scope);
  if (accountId === "no_account") return { outcome: "no_account" };
  return {
    outcome: "listed",
    keys: await listStoredKeys(db, accountId, clock()),
  };
}

/** See `Accounts.revokeKey`. */
export function revokeKey(
  ledger: Ledger,
  selector: string | number,
  scope: KeyScope,
): Promise<RevokeKeyOutcome> {
  return transact(ledger.db, async (db) => {
    const nowMs = ledger.clock();
    const found = await oneActiveKey(db, selector, scope, nowMs);
    if (found.outcome !== "found") return found;
    const { accountId, id } = found.record;
    const record = await endKey(db, id, { revoked_at: nowMs }, nowMs);
    await audit(ledger, db, "key_revoked", accountId, shownKey(record));
    return { outcome: "revoked", record };
  });
}

/** See `Accounts.rotateKey`. */
export function rotateKey(
  ledger: Ledger,
  selector: string | number,
  overlap: Overlap,
  scope: KeyScope,
): Promise<RotateKeyOutcome> {
  return transact(ledger.db, async (db) => {
    const nowMs = ledger.clock();
    const found = await oneActiveKey(db, selector, scope, nowMs);
    if (found.outcome !== "found") return found;
    const { accountId, expiresAt, id, lifetimeMs, name } = found.record;
    // A key that is already on its way out does not live longer for being rotated again.
    const ending =
      OVERLAPS[overlap] === 0
        ? { revoked_at: nowMs }
        : {
            expires_at: Math.min(
              nowMs + OVERLAPS[overlap],
              expiresAt ?? Infinity,
            ),
            // Its owner knows of its end, and has a successor.
            end_told_at: nowMs,
          };
    const active = await countActiveKeys(db, accountId, nowMs);
    if (active - ("revoked_at" in ending ? 1 : 0) >= MOST_ACTIVE_KEYS)
      return { outcome: "too_many_keys", most: MOST_ACTIVE_KEYS };
    const { random } = ledger;
    // A key that was made for 90 days is followed by one for another 90 days.
    const wanted = { lifetimeMs, name, nowMs, random };
    const made = await insertKey(db, accountId, wanted);
    const old = await endKey(db, id, ending, nowMs);
    await forgetSurplusKeys(db, accountId, MOST_KEPT_KEYS, nowMs);
    await audit(
      ledger,
      db,
      "key_rotated",
      accountId,
      `${shownKey(old)} -> ${madeKey(made.record)}, overlap ${overlap}`,
    );
    return { outcome: "rotated", ...made, old, before: found.record };
  });
}

/** See `Accounts.takeBackKey`. */
export function takeBackKey(
  ledger: Ledger,
  id: number,
  replaced: KeyRecord | null,
): Promise<void> {
  return transact(ledger.db, async (db) => {
    const nowMs = ledger.clock();
    const [made] = await selectKeys(db, { by: "id", id }, null, nowMs);
    if (made === undefined) return;
    await deleteKey(db, id);
    if (replaced !== null) await restoreKey(db, replaced);
    await audit(
      ledger,
      db,
      "key_taken_back",
      made.accountId,
      `${shownKey(made)} could not be shown`,
    );
  });
}

/** A new key, with its end if it has one. */
function madeKey(record: KeyRecord): string {
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
