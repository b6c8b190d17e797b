import { sql, type Kysely } from "kysely";
import { DATABASE_NOW } from "../fleet/database-now.ts";
import type { Tables } from "../database/tables.ts";
import { retryCollisions } from "../database/transact.ts";
import { monthLabel, monthOfLabel } from "../metering/month.ts";
import type { AccountMonth } from "../metering/usage-table.ts";

/** A process without a heartbeat for this long is given up: what it holds counts as used. */
const GIVEN_UP_MS = 60_000;
/** Accounts folded in one statement. */
const MAX_FOLDED = 1_000;

/** What a process asks of an account's month. */
export interface LeaseWant extends AccountMonth {
  /** The plan's monthly quota. */
  readonly quota: number;
  /** How many answers it wants at most; 0 to only report `granted`. */
  readonly want: number;
  /** How many of them it needs; it is granted as many if they are left, even if that is more than its share. */
  readonly need: number;
  /** What the process was granted so far, less what it returns or never heard of. */
  readonly granted: number;
}

/** What it got. */
export interface LeaseAnswer extends AccountMonth {
  /** Null if another statement has the account locked: nothing was done. */
  readonly given: number | null;
  /** What is left to grant after that. */
  readonly free: number;
  /** The account's recorded usage, and what other processes have leased. */
  readonly used: number;
  readonly leasedElsewhere: number;
}

/**
 * Leases of monthly quotas in PostgreSQL: answers that a process may give without asking. For each account and month,
 * used + leased never exceeds the quota when something is granted, and `leased` is the sum of the leases' `remaining`.
 *
 * Every statement locks the rows of `api_usage` first, in the order of their keys, then those of `api_lease`, so they
 * wait for each other instead of deadlocking. Grants don't wait for the rows of `api_usage`: one account that is locked
 * doesn't keep others waiting. A process numbers its statements and says what it was granted so far, so
 * a statement whose answer was lost is corrected by the next, and one that arrives late changes nothing.
 */
export class LeaseStore {
  readonly #db: Kysely<Tables>;
  readonly #process: string;
  #number = 0;

  /** `process` is the process's UUID. */
  constructor(db: Kysely<Tables>, process: string) {
    this.#db = db;
    this.#process = process;
  }

  /** Numbers a statement. */
  nextNumber(): number {
    return ++this.#number;
  }

  /**
   * Grants and takes back, in one statement. Each grant is at most a quarter of the account's share of what is left,
   * the rest divided by the live nodes, and at least one while something is left, or what is needed. Leaves out
   * accounts whose lease isn't opened. The keys must differ, and may not be in another statement of this process at
   * once.
   */
  async settle(
    wants: readonly LeaseWant[],
    liveNodes: number,
    number = this.nextNumber(),
  ): Promise<LeaseAnswer[]> {
    const share = 4 * Math.max(1, liveNodes);
    const statement = sql<{
      account_id: number;
      month: string;
      given: number | null;
      free: number;
      elsewhere: number;
      used: number;
    }>`
WITH wanted AS MATERIALIZED (
  SELECT * FROM unnest(${accountsOf(wants)}::int[], ${monthsOf(wants)}::text[],
    ${wants.map(({ quota }) => quota)}::bigint[], ${wants.map(({ want }) => want)}::bigint[],
    ${wants.map(({ need }) => need)}::bigint[], ${wants.map(({ granted }) => granted)}::bigint[]
  ) AS wanted (account_id, month, quota, want, need, granted)
), locked AS MATERIALIZED (
  SELECT sums.account_id, sums.month, sums.used, sums.leased
  FROM api_usage sums JOIN wanted USING (account_id, month)
  ORDER BY sums.account_id, sums.month FOR UPDATE OF sums SKIP LOCKED
), lease AS MATERIALIZED (
  SELECT lease.account_id, lease.month, lease.folded, lease.granted, lease.remaining
  FROM api_lease lease JOIN locked USING (account_id, month)
  WHERE lease.process = ${this.#process} AND lease.number < ${number}::bigint
  FOR UPDATE OF lease
), settled AS MATERIALIZED (
  SELECT account_id, month, quota, want, need, wanted.granted, folded,
    wanted.granted - lease.granted AS change,
    locked.used - folded AS used, locked.leased - lease.remaining AS elsewhere,
    locked.leased + folded + wanted.granted - lease.granted AS leased
  FROM wanted JOIN locked USING (account_id, month) JOIN lease USING (account_id, month)
), decided AS MATERIALIZED (
  SELECT *, CASE WHEN want = 0 OR quota - used - leased < 1 THEN 0
    ELSE greatest(
      1, least(want, (quota - used - leased) / ${share}::bigint),
      CASE WHEN need <= quota - used - leased THEN need ELSE 0 END
    ) END AS given
  FROM settled
), leases AS (
  UPDATE api_lease lease SET
    remaining = lease.remaining + decided.folded + decided.change + decided.given,
    folded = 0, granted = decided.granted + decided.given, number = ${number}::bigint
  FROM decided
  WHERE lease.account_id = decided.account_id AND lease.month = decided.month AND lease.process = ${this.#process}
), sums AS (
  UPDATE api_usage sums SET used = decided.used, leased = decided.leased + decided.given
  FROM decided WHERE sums.account_id = decided.account_id AND sums.month = decided.month
)
SELECT account_id, month, given, greatest(0, quota - used - leased - given) AS free, used, elsewhere FROM decided
UNION ALL
SELECT account_id, month, NULL, 0, sums.used, 0 FROM wanted JOIN api_usage sums USING (account_id, month)
WHERE NOT EXISTS (
  SELECT FROM locked WHERE locked.account_id = wanted.account_id AND locked.month = wanted.month
)`;
    const { rows } = await retryCollisions(() => statement.execute(this.#db));
    return rows.map(({ account_id, elsewhere, free, given, month, used }) => ({
      accountId: account_id,
      month: monthOfLabel(month),
      given,
      free,
      used,
      leasedElsewhere: elsewhere,
    }));
  }

  /** Opens leases of nothing; those that are open stay as they are. */
  async open(keys: readonly AccountMonth[], nowMs: number): Promise<void> {
    // A row that is there isn't inserted again, which would wait for those who change it.
    const statement = sql`
WITH wanted AS MATERIALIZED (
  SELECT * FROM unnest(${accountsOf(keys)}::int[], ${monthsOf(keys)}::text[]) AS wanted (account_id, month)
  ORDER BY account_id, month
), sums AS (
  INSERT INTO api_usage (account_id, month, used, viewed, updated_at)
  SELECT account_id, month, 0, 0, ${nowMs}::bigint FROM wanted
  WHERE NOT EXISTS (
    SELECT FROM api_usage sums WHERE sums.account_id = wanted.account_id AND sums.month = wanted.month
  )
  ORDER BY account_id, month
  ON CONFLICT (account_id, month) DO NOTHING
)
INSERT INTO api_lease (account_id, month, process, remaining, number)
SELECT account_id, month, ${this.#process}::text, 0, ${this.#number}::bigint FROM wanted ORDER BY account_id, month
ON CONFLICT (account_id, month, process) DO NOTHING`;
    await retryCollisions(() => statement.execute(this.#db));
  }

  /** Deletes leases of which nothing remains; returns those that are gone. */
  async close(keys: readonly AccountMonth[]): Promise<AccountMonth[]> {
    const { rows } = await sql<KeyRow>`
WITH wanted AS MATERIALIZED (
  SELECT * FROM unnest(${accountsOf(keys)}::int[], ${monthsOf(keys)}::text[]) AS wanted (account_id, month)
), closed AS (
  DELETE FROM api_lease lease USING wanted
  WHERE lease.account_id = wanted.account_id AND lease.month = wanted.month
    AND lease.process = ${this.#process} AND lease.remaining = 0 AND lease.folded = 0
)
SELECT account_id, month FROM wanted WHERE NOT EXISTS (
  SELECT FROM api_lease lease
  WHERE lease.account_id = wanted.account_id AND lease.month = wanted.month
    AND lease.process = ${this.#process} AND (lease.remaining <> 0 OR lease.folded <> 0)
)`.execute(this.#db);
    return rows.map(keyOf);
  }

  /**
   * Counts what vanished processes hold as used; returns how many answers that were. Any node may do it. If such a
   * process comes back, its next statement undoes that.
   */
  async fold(): Promise<number> {
    // The limit inside keeps PostgreSQL from reading the leases of all nodes in their order to find those.
    const { rows } = await sql<{ answers: number }>`
WITH gone AS MATERIALIZED (
  SELECT lease.account_id, lease.month, node.process
  FROM fleet_node node CROSS JOIN LATERAL (
    SELECT account_id, month FROM api_lease
    WHERE api_lease.process = node.process AND remaining > 0 LIMIT ${sql.lit(MAX_FOLDED)}
  ) AS lease
  WHERE node.seen_at < ${DATABASE_NOW} - ${sql.lit(GIVEN_UP_MS)}
  ORDER BY lease.account_id, lease.month LIMIT ${sql.lit(MAX_FOLDED)}
), locked AS MATERIALIZED (
  SELECT sums.account_id, sums.month FROM api_usage sums
  WHERE (sums.account_id, sums.month) IN (SELECT account_id, month FROM gone)
  ORDER BY sums.account_id, sums.month FOR UPDATE OF sums SKIP LOCKED
), lease AS MATERIALIZED (
  SELECT lease.account_id, lease.month, lease.process, lease.remaining
  FROM api_lease lease JOIN locked USING (account_id, month) JOIN gone USING (account_id, month, process)
  FOR UPDATE OF lease
), leases AS (
  UPDATE api_lease SET folded = api_lease.folded + lease.remaining, remaining = 0
  FROM lease
  WHERE api_lease.account_id = lease.account_id AND api_lease.month = lease.month
    AND api_lease.process = lease.process
), sums AS (
  UPDATE api_usage sums SET used = sums.used + folded.answers, leased = sums.leased - folded.answers
  FROM (SELECT account_id, month, sum(remaining)::bigint AS answers FROM lease GROUP BY 1, 2) AS folded
  WHERE sums.account_id = folded.account_id AND sums.month = folded.month
)
SELECT coalesce(sum(remaining), 0)::bigint AS answers FROM lease`.execute(
      this.#db,
    );
    return rows[0]?.answers ?? 0;
  }
}

/** Deletes leases that no process will come back to: of past months, and empty ones of processes that ended. */
export async function purgeLeases(
  db: Kysely<Tables>,
  oldestMonth: number,
): Promise<void> {
  await db
    .deleteFrom("api_lease")
    .where("month", "<", monthLabel(oldestMonth))
    .execute();
  await db
    .deleteFrom("api_lease")
    .where("remaining", "=", 0)
    .where("folded", "=", 0)
    .where("process", "not in", (node) =>
      node.selectFrom("fleet_node").select("process"),
    )
    .execute();
}

interface KeyRow {
  account_id: number;
  month: string;
}

function keyOf({ account_id, month }: KeyRow): AccountMonth {
  return { accountId: account_id, month: monthOfLabel(month) };
}

function accountsOf(keys: readonly AccountMonth[]): number[] {
  return keys.map(({ accountId }) => accountId);
}

function monthsOf(keys: readonly AccountMonth[]): string[] {
  return keys.map(({ month }) => monthLabel(month));
}
