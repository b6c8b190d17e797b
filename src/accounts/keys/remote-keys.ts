import type { Kysely } from "kysely";
import { selectKeyRows, type KeyRow } from "./key-store.ts";
import { monthAt, monthLabel } from "../metering/month.ts";
import { connectPostgresql } from "../database/open-postgresql.ts";
import type { DatabasePlace } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";

/** Connections of each thread, and how long a request waits for one. */
const LIMITS = { most: 2, connectWithinMs: 2_000, answerWithinMs: 2_000 };

/** What was read about a key; `found` is null if it was never issued. */
export interface RemoteKey {
  readonly hash: string;
  readonly found: {
    readonly row: KeyRow;
    /** Its account's usage in the requested month. */
    readonly used: number;
  } | null;
}

/** Reads keys and usage for a gate from a PostgreSQL server, some hundred keys at a time. */
export class RemoteKeys implements Disposable {
  readonly #db: Kysely<Tables>;

  /** Connects on first use. */
  constructor({ url }: DatabasePlace & { kind: "postgresql" }) {
    this.#db = connectPostgresql(url, LIMITS);
  }

  /** Reads keys and their accounts' usage in the month of `nowMs`. */
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
