import { type Generated, PostgresAdapter, sql, type Kysely } from "kysely";
import type { AuditAction } from "../../contract/account.ts";
import type { Operation } from "../../contract/operation.ts";

/**
 * The schema after all migrations. Times are epoch milliseconds; a flag is the time since which it is set, null for not
 * set. The last tables are better-auth's; their times are ISO strings in SQLite and `timestamptz` in PostgreSQL.
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
  fleet_node: FleetNodeTable;
  fleet_publication: FleetPublicationTable;
  api_key_change: ApiKeyChangeTable;
  user: UserTable;
  session: SessionTable;
  account: OfUserTable;
  twoFactor: OfUserTable;
  verification: VerificationTable;
}

export interface ApiAccountTable {
  /** Never reused, not even after a deletion, because counters outlive accounts. */
  id: Generated<number>;
  /** As `normalizeEmail` writes it; unique. */
  email: string;
  /** The plan's name. If it is no longer configured, the free plan's limits apply. */
  plan: string;
  created_at: number;
  suspended_at: number | null;
  /** The user (`user.id`) whose account it is, once the address is confirmed. */
  user_id: string | null;
}

export interface ApiKeyTable {
  id: Generated<number>;
  account_id: number;
  /** SHA-256 of the key, hexadecimal; unique. The key itself is not stored. */
  hash: string;
  /** The first 12 characters, and the last four, for showing. */
  prefix: string;
  last_four: string;
  /** Its owner's name for it; may be empty. */
  name: string;
  created_at: number;
  /** The key is refused from this moment on. */
  expires_at: number | null;
  /** The lifetime its owner chose; null for a key without an end. A rotation may end the key earlier. */
  lifetime_ms: number | null;
  /** The time when its owner was notified that it expires soon. */
  end_told_at: number | null;
  /** The id of the key that replaced it in a rotation, which may be deleted by now. */
  replaced_by: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

/**
 * Answers by account and month; the primary key is (account_id, month). Account 0 has the sums of deleted accounts.
 */
interface ApiUsageTable {
  account_id: number;
  /** `2026-11`, UTC. */
  month: string;
  /** Answers given, and those that nodes have prepaid. */
  used: number;
  /** The requests that the last change added, and the sum that it was not to exceed. */
  last_taken: Generated<number>;
  last_quota: Generated<number>;
  /** Unused since explorer pages are not counted; 0 in new rows. */
  viewed: Generated<number>;
  updated_at: number;
}

/** Counted answers by key; the primary key is (key_id, hour, operation). Key 0 has the sums of deleted keys. */
interface ApiUsageHourTable {
  key_id: number;
  /** Start of the hour. */
  hour: number;
  /** One of `OPERATIONS`. */
  operation: Operation;
  used: number;
}

/** The last batch of counts that each process wrote, so that none is written twice. */
interface ApiFlushTable {
  writer: string;
  number: number;
  written_at: number;
}

/** The remains of a deleted account. Only with both the address and the secret can its owner be recognized. */
export interface ApiDeletedAddressTable {
  /** HMAC-SHA256 of the normalized address with an installation secret, base64url. */
  address: string;
  deleted_at: number;
  /** The month of `used`. */
  month: string;
  used: number;
  /** Unused, like that of `api_usage`. */
  viewed: number;
  suspended_at: number | null;
  /** The account's id, for an hour in which usage may still be written for it. */
  late_of: number | null;
}

/** The audit log. Of a deleted account only the id remains. */
interface ApiAuditTable {
  id: Generated<number>;
  at: number;
  /** Who made the change: `operator ada: accounts suspend`. */
  actor: string;
  action: AuditAction;
  /** Null for a change to all accounts. */
  account_id: number | null;
  /** The change, in a few words without personal data; may be empty. */
  detail: string;
}

/** The Stripe customer of an account that has ever started to pay. */
interface ApiBillingCustomerTable {
  account_id: number;
  /** `cus_…`; unique. */
  customer_id: string;
  created_at: number;
}

/** A subscription's last known state at Stripe. An account may have had several. */
export interface ApiSubscriptionTable {
  /** `sub_…`. */
  id: string;
  account_id: number;
  /** Stripe's status: `active`, `past_due`, `canceled` … */
  status: string;
  /** `price_…`; null if Stripe no longer knows the subscription. */
  price_id: string | null;
  /** The plan that it gives the account; null while it gives none. */
  granted_plan: string | null;
  /** The time when the current period ends. */
  period_end: number | null;
  /** The time when it ends because its owner cancelled; null if it renews. */
  ends_at: number | null;
  /** The time of the newest event about it. */
  event_at: number;
  /** The number of times that the row was written. */
  version: number;
}

/** A processed Stripe event, kept so that it is not processed twice. */
interface ApiBillingEventTable {
  /** `evt_…`. */
  id: string;
  received_at: number;
}

/** Secrets shared by all processes on the database; see `installation-secret.ts`. */
interface ApiInstallationTable {
  name: string;
  /** 32 random bytes in base64url. */
  value: string;
}

/** Counted separately, so that a flood of one kind takes no rows from another. */
export type AttemptKind =
  /** Requests from a client's network. */
  | "request"
  /** Password attempts. */
  | "password"
  /** Codes of a second factor, each of which works once. */
  | "code"
  /** Mails to an address. */
  | "mail"
  /** Notices to an account's owner. */
  | "notice"
  /** Actions of an account. */
  | "account";

/** Attempts in the window that ends at `ends_at`. */
interface AttemptTable {
  /** A hash of what was tried; see `attempts.ts`. */
  of: string;
  kind: AttemptKind;
  count: number;
  ends_at: number;
}

/** Only in PostgreSQL: a running service on the database. Times are the database's. */
interface FleetNodeTable {
  /** A UUID, new at each start. */
  process: string;
  /** The node's name, as the operator set it; two may have the same by mistake. */
  name: string;
  version: string;
  started_at: number;
  /** The last heartbeat. */
  seen_at: number;
  /** The newest publication that the node has downloaded and verified, and the one it serves; null without one. */
  held_epoch: number | null;
  served_epoch: number | null;
  /** A sentence for the operator; null while all is well. */
  problem: string | null;
}

/** Only in PostgreSQL: a snapshot in the snapshot store. The newest activated one is served. */
interface FleetPublicationTable {
  /** From 1; each publication gets the next number. */
  epoch: number;
  /** The snapshot's ID. */
  snapshot: string;
  /** SHA-256 of the manifest, hexadecimal, under which the store has it. */
  manifest: string;
  /** The node that published it. */
  publisher: string;
  published_at: number;
  /** From when on nodes serve it; null while they download it. */
  activated_at: number | null;
}

/** A key that changed, was created or deleted. */
interface ApiKeyChangeTable {
  number: Generated<number>;
  /** `api_key.hash`. */
  hash: string;
  changed_at: Generated<number>;
  /** Only in PostgreSQL: the transaction that changed it (`xid8`, as text). */
  transaction: Generated<string>;
}

/** A user. Here and below, columns that only the library uses are omitted. */
interface UserTable {
  id: string;
  /** In the form of `normalizeEmail`; unique. */
  email: string;
  emailVerified: boolean | number;
  /** True if a sign-in needs a second step. */
  twoFactorEnabled: boolean | number | null;
  createdAt: string;
}

/** A row of a user, deleted with the user: a way to sign in, or the second factor. */
interface OfUserTable {
  id: string;
  userId: string;
}

interface SessionTable extends OfUserTable {
  createdAt: string;
  expiresAt: string;
}

/** A mailed link that has not been used. */
interface VerificationTable {
  id: string;
  /** A hash. */
  identifier: string;
  /** For a new password or address, the user's id. */
  value: string;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
}

/** PostgreSQL's time in epoch milliseconds: nodes' clocks may differ. */
export const DATABASE_NOW = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/** True if a database is on a PostgreSQL server, not in a SQLite file. */
export function isPostgresql(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
