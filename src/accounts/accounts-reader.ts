import {
  DatabaseSync,
  type SQLOutputValue,
  type StatementSync,
} from "node:sqlite";
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { AccountsDatabaseError } from "./database.ts";
import { selectKeyStanding, type KeyStanding } from "./key-store.ts";
import { monthLabel } from "./month.ts";
import type { Tables } from "./tables.ts";
import { selectMonthlyUse } from "./usage-store.ts";

/** Readers wait for nobody's write, only for the repair of what a killed process left behind. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Reads the two things that a gate must know, at once and without waiting for anybody's write: the same Kysely queries
 * as everywhere, compiled to prepared statements over a connection that cannot write.
 */
export class AccountsReader implements Disposable {
  readonly #connection: DatabaseSync;
  readonly #keyStanding: StatementSync;
  readonly #monthlyUse: StatementSync;

  /** Opens a database that `openAccounts` has made. Throws AccountsDatabaseError. */
  constructor(file: string) {
    let connection: DatabaseSync | null = null;
    try {
      connection = new DatabaseSync(file, {
        readOnly: true,
        timeout: BUSY_TIMEOUT_MS,
      });
      this.#keyStanding = connection.prepare(
        selectKeyStanding(COMPILER, "").compile().sql,
      );
      this.#monthlyUse = connection.prepare(
        selectMonthlyUse(COMPILER, 0, "").compile().sql,
      );
    } catch (error) {
      connection?.close();
      const reason = error instanceof Error ? error.message : String(error);
      throw new AccountsDatabaseError(
        `Cannot read the accounts' database ${file}: ${reason}`,
        { cause: error },
      );
    }
    this.#connection = connection;
  }

  /** The standing of the key with a hash, null when it was never issued. */
  keyStanding(hash: string): KeyStanding | null {
    const row = this.#keyStanding.get(hash);
    if (row === undefined) return null;
    return {
      id: numeric(row["id"]),
      account_id: numeric(row["account_id"]),
      plan: textual(row["plan"]),
      suspended_at: optional(row["suspended_at"]),
      expires_at: optional(row["expires_at"]),
      revoked_at: optional(row["revoked_at"]),
    };
  }

  /** What is written of an account's use in a month (`Month.number`). */
  monthlyUse(accountId: number, month: number): number {
    const row = this.#monthlyUse.get(accountId, monthLabel(month));
    return row === undefined ? 0 : numeric(row["used"]);
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

const COMPILER = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

function numeric(value: SQLOutputValue | undefined): number {
  if (typeof value === "number") return value;
  throw new AccountsDatabaseError(
    `The accounts' database holds a ${typeof value} where a number belongs`,
  );
}

function textual(value: SQLOutputValue | undefined): string {
  if (typeof value === "string") return value;
  throw new AccountsDatabaseError(
    `The accounts' database holds a ${typeof value} where a text belongs`,
  );
}

function optional(value: SQLOutputValue | undefined): number | null {
  return value === null ? null : numeric(value);
}
