import { sql, type Kysely, type SelectQueryBuilder } from "kysely";
import { type Tables, isPostgresql } from "../database/tables.ts";
import { retryCollisions } from "../database/transact.ts";
import type { AccountMonth } from "./account-table.ts";
import { monthLabel, monthOfLabel } from "./month.ts";

/** The quota of a change that is made whatever is left, also of a deleted account's. */
export const WHATEVER = Number.MAX_SAFE_INTEGER;

/** A change of an account's use in a month. */
export interface UseChange extends AccountMonth {
  /** Answers to add, all or none; what is given back is negative, and always possible: the use is never below 0. */
  readonly answers: number;
  /** The sum that the use may not exceed. */
  readonly quota: number;
}

/** The use of an account in a month after a change. */
export interface ChangedUse extends AccountMonth {
  /** Answers given, and prepaid by any process. */
  readonly used: number;
  /** The requests that the change added; 0 if it was refused. */
  readonly taken: number;
  /** True if there is no such account any more, which has no quota: its key may be known for a moment. */
  readonly isGone: boolean;
}

/** The use of accounts by month, in the database. */
export class MonthlyUse {
  /** True if the database can be read while it can't be written. */
  readonly isReadable: boolean;
  readonly #db: Kysely<Tables>;
  readonly #clock: () => number;

  constructor(db: Kysely<Tables>, clock: () => number) {
    this.isReadable = !isPostgresql(db);
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Changes the use of different accounts' months in one statement, the same on both databases. Leaves out those that
   * another session has locked: they are unchanged. Nothing is prepaid for a deleted account: its use is in the sums of
   * deleted accounts. What it gives back makes a row that is below 0, which `anonymizeUsage` adds to them.
   */
  async change(changes: readonly UseChange[]): Promise<ChangedUse[]> {
    const wanted = sql.join(
      changes.map(
        ({ accountId, answers, month, quota }) =>
          sql`(CAST(${accountId} AS integer), CAST(${monthLabel(month)} AS text), CAST(${answers} AS bigint), CAST(${quota} AS bigint))`,
      ),
    );
    const fits = sql`excluded.last_taken < 0 OR uses.used + excluded.last_taken <= excluded.last_quota`;
    const skipLocked = isPostgresql(this.#db)
      ? sql`FOR UPDATE OF uses SKIP LOCKED`
      : sql``;
    const statement = sql<{
      account_id: number;
      month: string;
      used: number;
      taken: number;
      last_quota: number;
    }>`
WITH asked (account_id, month, answers, quota) AS (VALUES ${wanted}),
limited AS (
  SELECT account_id, month, answers,
    CASE WHEN quota = ${sql.lit(WHATEVER)} OR EXISTS (SELECT 1 FROM api_account WHERE id = account_id) THEN quota ELSE 0 END AS quota
  FROM asked
),
wanted AS (SELECT limited.*, CASE WHEN answers <= quota THEN answers ELSE 0 END AS fitting FROM limited),
free AS MATERIALIZED (
  SELECT uses.account_id, uses.month FROM api_usage AS uses JOIN wanted USING (account_id, month)
  ORDER BY uses.account_id, uses.month ${skipLocked}
)
INSERT INTO api_usage AS uses (account_id, month, used, last_taken, last_quota, updated_at)
SELECT account_id, month, fitting, fitting, quota, CAST(${this.#clock()} AS bigint)
FROM wanted WHERE EXISTS (SELECT 1 FROM free WHERE free.account_id = wanted.account_id AND free.month = wanted.month)
  OR NOT EXISTS (SELECT 1 FROM api_usage AS uses WHERE uses.account_id = wanted.account_id AND uses.month = wanted.month)
ORDER BY account_id, month
ON CONFLICT (account_id, month) DO UPDATE SET
  used = CASE WHEN NOT (${fits}) THEN uses.used
    WHEN uses.used + excluded.last_taken > 0 THEN uses.used + excluded.last_taken ELSE 0 END,
  last_taken = CASE WHEN ${fits} THEN excluded.last_taken ELSE 0 END,
  last_quota = excluded.last_quota, updated_at = excluded.updated_at
RETURNING account_id, month, used, last_taken AS taken, last_quota`;
    const { rows } = await retryCollisions(() => statement.execute(this.#db));
    return rows.map(({ account_id, last_quota, month, taken, used }) => ({
      accountId: account_id,
      month: monthOfLabel(month),
      used,
      taken,
      isGone: last_quota === 0,
    }));
  }

  /** Reads the use of accounts' months: a file on a full disk can be read, and not written. */
  async read(months: readonly AccountMonth[]): Promise<ChangedUse[]> {
    return Promise.all(
      months.map(async ({ accountId, month }) => {
        const row = await selectMonthlyUse(
          this.#db,
          accountId,
          monthLabel(month),
        ).executeTakeFirst();
        return {
          accountId,
          month,
          used: row?.used ?? 0,
          taken: 0,
          isGone: false,
        };
      }),
    );
  }
}

/** Makes the query for an account's use in a month (a label); no row if there is none. */
export function selectMonthlyUse(
  db: Kysely<Tables>,
  accountId: number,
  month: string,
): SelectQueryBuilder<Tables, "api_usage", { used: number }> {
  return db
    .selectFrom("api_usage")
    .select("used")
    .where("account_id", "=", accountId)
    .where("month", "=", month);
}
