import type { Kysely } from "kysely";
import { selectKeyRows, type KeyRow } from "./key-store.ts";
import { monthAt, monthLabel } from "../metering/month.ts";
import { connectPostgresql } from "../database/open-database.ts";
import type { Tables } from "../database/tables.ts";

/** Each thread has so many connections at most, and a request that waits for one waits no longer than this. */
const LIMITS = { most: 2, connectWithinMs: 2_000, answerWithinMs: 2_000 };

/** What was read of a key: null when it was never issued. */
export interface RemoteKey {
  readonly hash: string;
  readonly found: {
    readonly row: KeyRow;
    /** What its account used in the month that was asked about. */
    readonly used: number;
  } | null;
}

/** Reads from a PostgreSQL server what a gate must know, some hundred keys at a time. */
export class RemoteKeys implements Disposable {
  readonly #db: Kysely<Tables>;

  /** Connects when it is first asked. */
  constructor(url: string) {
    this.#db = connectPostgresql(url, LIMITS);
  }

  /** What the database has of keys and of their accounts' use in the month of `nowMs`. */
  async read(hashes: readonly string[], nowMs: number): Promise<RemoteKey[]> {
    const month = monthLabel(monthAt(nowMs).number);
    const rows = await selectKeyRows(this.#db, hashes, month).execute();
    const byHash = new Map(rows.map((row) => [row.hash, row]));
    return hashes.map((hash) => {
      const row = byHash.get(hash);
      return {
        hash,
        found: row === undefined ? null : { row, used: row.used ?? 0 },
      };
    });
  }

  [Symbol.dispose](): void {
    this.#db.destroy().catch(() => undefined);
  }
}
