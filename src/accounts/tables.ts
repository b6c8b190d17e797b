import type { Generated } from "kysely";

/**
 * The database as migrations leave it. Times are epoch milliseconds; "is it so" is "since when is it so", null for no.
 * The names leave `user`, `account` and `session` to whatever signs people in.
 */
export interface Tables {
  api_account: ApiAccountTable;
  api_key: ApiKeyTable;
  api_usage: ApiUsageTable;
}

export interface ApiAccountTable {
  /** Never used twice, also after a deletion: counters outlive accounts. */
  id: Generated<number>;
  /** As `normalizeEmail` writes it; unique. */
  email: string;
  plan: string;
  created_at: number;
  suspended_at: number | null;
}

interface ApiKeyTable {
  id: Generated<number>;
  account_id: number;
  /** SHA-256 of the key, hexadecimal; unique. The key itself is stored nowhere. */
  hash: string;
  /** The first 12 characters, and the last four, for showing. */
  prefix: string;
  last_four: string;
  created_at: number;
  /** The key is refused from this moment on. */
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

/** Counted answers; the primary key is (account_id, month). */
interface ApiUsageTable {
  account_id: number;
  /** `2026-11`, UTC. */
  month: string;
  used: number;
  updated_at: number;
}
