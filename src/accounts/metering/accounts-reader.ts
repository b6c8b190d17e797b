import type { SQLOutputValue, StatementSync } from "node:sqlite";
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { AccountsDatabaseError } from "../database/database.ts";
import { selectKeyRow, type KeyRow } from "../keys/key-store.ts";
import { monthLabel } from "./month.ts";
import { openReadable, type ReadableFile } from "../database/readable-file.ts";
import { faultOfFile } from "../database/sqlite-fault.ts";
import type { Tables } from "../database/tables.ts";
import { selectMonthlyUse } from "./usage-store.ts";

/** How often opening the file itself is retried while a copy is read. */
const RETRY_MS = 2_000;

/**
 * Reads keys and usage for a gate, synchronously and without waiting for any write: the Kysely queries used elsewhere,
 * compiled to prepared statements over a read-only connection.
 */
export class AccountsReader implements Disposable {
  readonly #file: string;
  #reading: Reading;

  /** Opens a database that `openAccounts` has created. Throws AccountsDatabaseError. */
  constructor(file: string) {
    this.#file = file;
    this.#reading = open(file);
  }

  /** The key with a hash; null if it was never issued. */
  keyRow(hash: string): KeyRow | null {
    const row = this.#current().keyRow.get(hash);
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

  /** An account's recorded usage in a month (`Month.number`). */
  monthlyUse(accountId: number, month: number): number {
    const row = this.#current().monthlyUse.get(accountId, monthLabel(month));
    return row === undefined ? 0 : numeric(row["used"]);
  }

  [Symbol.dispose](): void {
    this.#reading.connection.close();
  }

  /** On a full disk a copy was opened; the file itself is read as soon as there is space. */
  #current(): Reading {
    const before = this.#reading;
    if (!before.isCopy || performance.now() - before.openedMs < RETRY_MS)
      return before;
    try {
      this.#reading = open(this.#file);
      before.connection.close();
    } catch {
      this.#reading = { ...before, openedMs: performance.now() };
    }
    return this.#reading;
  }
}

interface Reading extends ReadableFile {
  readonly openedMs: number;
  readonly keyRow: StatementSync;
  readonly monthlyUse: StatementSync;
}

function open(file: string): Reading {
  try {
    const { connection, isCopy } = openReadable(file);
    return {
      connection,
      isCopy,
      openedMs: performance.now(),
      keyRow: connection.prepare(selectKeyRow(COMPILER, "").compile().sql),
      monthlyUse: connection.prepare(
        selectMonthlyUse(COMPILER, 0, "").compile().sql,
      ),
    };
  } catch (error) {
    throw faultOfFile(error, file, "read");
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
    `The accounts database has a ${typeof value} instead of a number`,
  );
}

function textual(value: SQLOutputValue | undefined): string {
  if (typeof value === "string") return value;
  throw new AccountsDatabaseError(
    `The accounts database has a ${typeof value} instead of a string`,
  );
}

function optional(value: SQLOutputValue | undefined): number | null {
  return value === null ? null : numeric(value);
}
