import type { Generated } from "kysely";
import type { AuditAction } from "../../contract/audit-action.ts";
import type { Operation } from "../../contract/operation.ts";

/**
 * The database as migrations leave it. Times are epoch milliseconds; "is it so" is "since when is it so", null for no.
 * The last tables are those of the library that signs people in; their moments are ISO texts in SQLite, and `timestamptz`
 * in PostgreSQL.
 */
export interface Tables {
  api_account: ApiAccountTable;
  api_key: ApiKeyTable;
  api_usage: ApiUsageTable;
  api_usage_hour: ApiUsageHourTable;
  api_flush: ApiFlushTable;
  api_deleted_address: ApiDeletedAddressTable;
  api_audit: ApiAuditTable;
  api_billing_customer: ApiBillingCustomerTable;
  api_subscription: ApiSubscriptionTable;
  api_billing_event: ApiBillingEventTable;
  api_installation: ApiInstallationTable;
  attempt: AttemptTable;
  user: UserTable;
  session: SessionTable;
  account: OfUserTable;
  twoFactor: OfUserTable;
  verification: VerificationTable;
}

export interface ApiAccountTable {
  /** Never used twice, also after a deletion: counters outlive accounts. */
  id: Generated<number>;
  /** As `normalizeEmail` writes it; unique. */
  email: string;
  plan: string;
  created_at: number;
  suspended_at: number | null;
  /** The person (`user.id`) whose account it is, once somebody has proved to own the address. */
  user_id: string | null;
}

interface ApiKeyTable {
  id: Generated<number>;
  account_id: number;
  /** SHA-256 of the key, hexadecimal; unique. The key itself is stored nowhere. */
  hash: string;
  /** The first 12 characters, and the last four, for showing. */
  prefix: string;
  last_four: string;
  /** What its owner calls it; may be empty. */
  name: string;
  created_at: number;
  /** The key is refused from this moment on. */
  expires_at: number | null;
  /** For how long its owner made it; null for a key without an end. A rotation may end it earlier. */
  lifetime_ms: number | null;
  /** When its owner was told that it ends soon. */
  end_told_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

/** Counted answers; the primary key is (account_id, month). Account 0 holds the sums of those that were deleted. */
interface ApiUsageTable {
  account_id: number;
  /** `2026-11`, UTC. */
  month: string;
  used: number;
  /** Pages of the explorer; another count, with a limit of its own. */
  viewed: Generated<number>;
  updated_at: number;
}

/** Counted answers in parts; the primary key is (key_id, hour, operation). Key 0 is that of deleted accounts. */
interface ApiUsageHourTable {
  key_id: number;
  /** When the hour began. */
  hour: number;
  /** One of `OPERATIONS`. */
  operation: Operation;
  used: number;
}

/** The number of the last batch of counts that each process wrote, so that none is written twice. */
interface ApiFlushTable {
  writer: string;
  number: number;
  written_at: number;
}

/** What is kept of a deleted account; nothing in it tells whose it was but to who has the address and the secret. */
interface ApiDeletedAddressTable {
  /** HMAC-SHA256 of the normalized address by a secret of the installation, base64url. */
  address: string;
  deleted_at: number;
  /** The month of the two counts. */
  month: string;
  used: number;
  viewed: number;
  suspended_at: number | null;
  /** The account's number, for an hour in which use may still be written for it. */
  late_of: number | null;
}

/** What was changed, by whom. Of a deleted account only the number remains. */
interface ApiAuditTable {
  id: Generated<number>;
  at: number;
  actor: string;
  action: AuditAction;
  account_id: number | null;
  detail: string;
}

/** The payment service's customer of an account that once began to pay. */
interface ApiBillingCustomerTable {
  account_id: number;
  /** `cus_…`; unique. */
  customer_id: string;
  created_at: number;
}

/** A subscription as the payment service had it when it was last asked. An account may have had several. */
export interface ApiSubscriptionTable {
  /** `sub_…`. */
  id: string;
  account_id: number;
  /** In the payment service's words: `active`, `past_due`, `canceled` … */
  status: string;
  /** `price_…`; null where the payment service no longer knows the subscription. */
  price_id: string | null;
  /** The plan that the account has for this subscription, null while it gives none. */
  granted_plan: string | null;
  /** Until when the current period lasts. */
  period_end: number | null;
  /** When it ends by its owner's choice. */
  ends_at: number | null;
  /** The time of the newest event about it. */
  event_at: number;
  /** How often the row was written. */
  version: number;
}

/** An event of the payment service that was dealt with, kept so that it is not dealt with twice. */
interface ApiBillingEventTable {
  /** `evt_…`. */
  id: string;
  received_at: number;
}

/** What all processes over the database share; see `installation-secret.ts`. */
interface ApiInstallationTable {
  name: string;
  /** 32 random bytes in base64url. */
  value: string;
}

/** What is counted apart, so that a flood of one kind takes no room from another. */
export type AttemptKind =
  /** Requests of a client's network. */
  | "request"
  /** Tries of a password. */
  | "password"
  /** Codes of a second factor, each of which lets in once. */
  | "code"
  /** Mails to an address. */
  | "mail"
  /** Mails to the owner of an account, of what was done to it. */
  | "notice"
  /** What an account may do so often. */
  | "account";

/** How often something was tried in the window that ends at `ends_at`. */
interface AttemptTable {
  /** What was tried, as a hash: `attempts.ts`. */
  of: string;
  kind: AttemptKind;
  count: number;
  ends_at: number;
}

/** A person. What is not named here only the library uses; the same goes for the tables below. */
interface UserTable {
  id: string;
  /** In the form of `normalizeEmail`; unique. */
  email: string;
  emailVerified: boolean | number;
  /** Whether a sign-in needs a second step. */
  twoFactorEnabled: boolean | number | null;
  createdAt: string;
}

/** A row of a person, which goes with the person: one of their ways to sign in, or the second factor. */
interface OfUserTable {
  id: string;
  userId: string;
}

interface SessionTable extends OfUserTable {
  createdAt: string;
  expiresAt: string;
}

/** Something that was mailed and waits to be used. */
interface VerificationTable {
  id: string;
  /** For a password reset, the person's id. */
  value: string;
  expiresAt: string;
}
