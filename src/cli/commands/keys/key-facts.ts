import {
  shownKey,
  type KeyRecord,
  type KeySelectionFailure,
} from "../../../accounts/keys/keys.ts";
import { formatCount, formatTable, formatTime } from "../../output/format.ts";

/** A key as `--json` prints it; times are ISO 8601, UTC. */
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

/** Keys as a table with a heading. */
export function keyTable(keys: readonly KeyRecord[]): string[] {
  const rows = keys.map((key) => [
    shownKey(key),
    key.name,
    key.email,
    key.accountSuspended ? `${key.plan} (suspended)` : key.plan,
    key.state === "active" && key.expiresAt !== null
      ? `active until ${formatTime(key.expiresAt)}`
      : key.state,
    formatTime(key.createdAt),
    key.lastUsedAt === null ? "never" : formatTime(key.lastUsedAt),
    formatCount(key.usedThisMonth),
  ]);
  return formatTable(
    [
      "KEY",
      "NAME",
      "ACCOUNT",
      "PLAN",
      "STATE",
      "CREATED",
      "LAST USED",
      "THIS MONTH",
    ],
    rows,
  );
}

/** Why an account cannot have another key. */
export function describeTooManyKeys(most: number): string {
  return `An account can have at most ${most} active keys. Revoke one, or rotate one with --overlap 0.`;
}

/** Why a prefix does not select a key, and what to do. */
export function describeSelectionFailure(
  failure: KeySelectionFailure,
  prefix: string,
  email: string | null,
): string {
  switch (failure.outcome) {
    case "not_found":
      return `No key starts with ${prefix}. Run keys list to see all keys.`;
    case "ambiguous":
      return `${failure.matches.length} keys start with ${prefix}. Use ${failure.matches.map(shownKey).join(" or ")}.`;
    case "already_ended":
      return `${describeEnded(failure.record)} Create a new key with keys create.`;
    case "invalid_selector":
      return `That is not a key's prefix. ${failure.problem}`;
    default:
      return `No account ${email}. Run accounts list to see all accounts.`;
  }
}

export function describeEnded(key: KeyRecord): string {
  return `Key ${shownKey(key)} is already ${key.state}.`;
}

export function isoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
