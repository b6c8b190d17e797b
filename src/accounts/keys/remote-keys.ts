import { sql, type Kysely } from "kysely";
import { selectKeyRows, type KeyRow } from "./key-store.ts";
import { monthAt, monthLabel } from "../metering/month.ts";
import { connectPostgresql } from "../database/open-postgresql.ts";
import type { DatabasePlace } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";

/** Connections of each thread, and how long a request waits for one. */
const LIMITS = { most: 2, connectWithinMs: 2_000, answerWithinMs: 2_000 };
/** The same for a replica, after which the primary is asked. */
const REPLICA_LIMITS = {
  most: 2,
  connectWithinMs: 1_000,
  answerWithinMs: 1_000,
};

/** How often a replica's age is checked, or one that failed is tried again. */
const CHECK_MS = 5_000;
/** A replica without a node's heartbeat from this time is too old. The feed of changed keys looks back further. */
const MAX_AGE_MS = 600_000;
/** How many known keys are remembered. */
const MAX_KNOWN = 100_000;

/** What was read about a key; `found` is null if it was never issued. */
export interface RemoteKey {
  readonly hash: string;
  readonly found: {
    readonly row: KeyRow;
    /** Its account's usage in the requested month. */
    readonly used: number;
  } | null;
}

/**
 * Reads keys and usage for a gate from a PostgreSQL server, some hundred keys at a time. Keys that were not found
 * before are looked up in a replica, if there is one, and in the primary if the replica is away or does not have them.
 */
export class RemoteKeys implements Disposable {
  readonly #primary: Kysely<Tables>;
  readonly #replica: Replica | null;
  /** Keys that were found. */
  readonly #known = new Set<string>();

  /** Connects on first use. */
  constructor({ readUrl = null, url }: DatabasePlace & { kind: "postgresql" }) {
    this.#primary = connectPostgresql(url, LIMITS);
    this.#replica = readUrl === null ? null : new Replica(readUrl);
  }

  /** Reads keys and their accounts' usage in the month of `nowMs`; those that changed lately only from the primary. */
  async read(
    hashes: readonly string[],
    nowMs: number,
    changed: Pick<ReadonlySet<string>, "has"> = new Set(),
  ): Promise<RemoteKey[]> {
    const month = monthLabel(monthAt(nowMs).number);
    const strangers = hashes.filter(
      (hash) => !this.#known.has(hash) && !changed.has(hash),
    );
    const rows = (await this.#replica?.read(strangers, month)) ?? [];
    const byHash = new Map(rows.map((row) => [row.hash, row]));
    const others = hashes.filter((hash) => !byHash.has(hash));
    if (others.length > 0) {
      const query = selectKeyRows(this.#primary, others, month);
      for (const row of await query.execute()) byHash.set(row.hash, row);
    }
    if (this.#replica !== null) this.#remember(byHash.keys());
    return hashes.map((hash) => {
      const row = byHash.get(hash);
      return {
        hash,
        found: row === undefined ? null : { row, used: row.used ?? 0 },
      };
    });
  }

  [Symbol.dispose](): void {
    this.#primary.destroy().catch(() => undefined);
    this.#replica?.[Symbol.dispose]();
  }

  #remember(hashes: Iterable<string>): void {
    if (this.#known.size > MAX_KNOWN) this.#known.clear();
    for (const hash of hashes) this.#known.add(hash);
  }
}

type FoundRow = Awaited<
  ReturnType<ReturnType<typeof selectKeyRows>["execute"]>
>[number];

/** A replica, of which nothing is expected: where it fails or lags, it has no rows. */
class Replica implements Disposable {
  readonly #db: Kysely<Tables>;
  #isUsable = false;
  #checkedMs = Number.NEGATIVE_INFINITY;

  constructor(url: string) {
    this.#db = connectPostgresql(url, REPLICA_LIMITS, "read");
  }

  async read(hashes: readonly string[], month: string): Promise<FoundRow[]> {
    if (hashes.length === 0) return [];
    try {
      if (!(await this.#check())) return [];
      return await selectKeyRows(this.#db, hashes, month).execute();
    } catch {
      this.#note(false);
      return [];
    }
  }

  [Symbol.dispose](): void {
    this.#db.destroy().catch(() => undefined);
  }

  /** Whether it had a heartbeat lately, so that a revoked key is not long valid in it. */
  async #check(): Promise<boolean> {
    if (performance.now() - this.#checkedMs < CHECK_MS) return this.#isUsable;
    const { rows } = await sql<{ age: number | null }>`
SELECT extract(epoch FROM clock_timestamp()) * 1000 - max(seen_at) AS age FROM fleet_node`.execute(
      this.#db,
    );
    const age = rows[0]?.age ?? Number.POSITIVE_INFINITY;
    return this.#note(age < MAX_AGE_MS);
  }

  #note(isUsable: boolean): boolean {
    this.#isUsable = isUsable;
    this.#checkedMs = performance.now();
    return isUsable;
  }
}
