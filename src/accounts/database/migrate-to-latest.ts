import { Migrator, sql, type Kysely, type MigrationResult } from "kysely";
import { AccountsDatabaseError } from "./database.ts";
import { MIGRATION_PROVIDER, MIGRATIONS } from "./migrations.ts";
import type { Tables } from "./tables.ts";

/**
 * Brings a database to the form that this version needs: all of it, or nothing, alone among all processes (SQLite's
 * write lock, PostgreSQL's advisory lock). Returns what had to be done. Closes the database and throws
 * AccountsDatabaseError where that fails.
 */
export async function migrateToLatest(
  db: Kysely<Tables>,
  name: string,
): Promise<ReadonlySet<string>> {
  const {
    error,
    results = [],
  }: { error?: unknown; results?: MigrationResult[] } = await new Migrator({
    db,
    provider: MIGRATION_PROVIDER,
  }).migrateToLatest();
  if (error === undefined)
    return new Set(results.map(({ migrationName }) => migrationName));
  await db.destroy();
  if (error instanceof AccountsDatabaseError) throw error;
  const reason = error instanceof Error ? error.message : JSON.stringify(error);
  throw new AccountsDatabaseError(
    /previously executed migration .* is missing/.test(reason)
      ? `The accounts' database ${name} was written by a newer version of this program. Run that version, or restore a copy from before it.`
      : `Cannot bring the accounts' database ${name} to the form that this version needs: ${reason}`,
    { cause: error },
  );
}

/** Whether a database that can only be read has the form that this version needs. */
export async function isMigrated(db: Kysely<Tables>): Promise<boolean> {
  try {
    const { rows } = await sql<{
      name: string;
    }>`SELECT name FROM kysely_migration`.execute(db);
    const done = rows.map(({ name }) => name).sort();
    return done.join() === Object.keys(MIGRATIONS).sort().join();
  } catch {
    return false;
  }
}
