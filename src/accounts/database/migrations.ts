import {
  type Kysely,
  type Migration,
  type MigrationProvider,
  type MigrationResult,
  Migrator,
  sql,
} from "kysely";
import { up as createAccounts } from "./migrations/0001-accounts.ts";
import { up as addNamesHoursAudit } from "./migrations/0002-names-hours-audit.ts";
import { up as addUsers } from "./migrations/0003-people.ts";
import { up as addBilling } from "./migrations/0004-billing.ts";
import { up as addInstallation } from "./migrations/0005-installation.ts";
import { up as boundAttempts } from "./migrations/0006-attempts.ts";
import { up as addExplorerPages } from "./migrations/0007-explorer-pages.ts";
import { up as addKeyEndsTwoFactor } from "./migrations/0008-key-ends-two-factor.ts";
import { up as keepDeletedAddresses } from "./migrations/0009-deleted-addresses.ts";
import { up as addFleet } from "./migrations/0010-fleet.ts";
import { AccountsDatabaseError } from "./database.ts";
import type { Tables } from "./tables.ts";

/** Every migration by its name, in order. A released migration is never changed; add another. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-accounts": { up: createAccounts },
  "0002-names-hours-audit": { up: addNamesHoursAudit },
  "0003-people": { up: addUsers },
  "0004-billing": { up: addBilling },
  "0005-installation": { up: addInstallation },
  "0006-attempts": { up: boundAttempts },
  "0007-explorer-pages": { up: addExplorerPages },
  "0008-key-ends-two-factor": { up: addKeyEndsTwoFactor },
  "0009-deleted-addresses": { up: keepDeletedAddresses },
  "0010-fleet": { up: addFleet },
};

/** The migrations for Kysely's migrator, from the code instead of a folder. */
export const MIGRATION_PROVIDER: MigrationProvider = {
  getMigrations() {
    return Promise.resolve({ ...MIGRATIONS });
  },
};

/**
 * Migrates a database to this version's schema: completely or not at all, one process at a time (SQLite's write lock,
 * PostgreSQL's advisory lock). Returns the names of the migrations that ran. On failure closes the database and throws
 * AccountsDatabaseError.
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
      ? `The accounts database ${name} was written by a newer version of this program. Run that version, or restore an older backup.`
      : `Cannot migrate the accounts database ${name} to the schema of this version: ${reason}`,
    { cause: error },
  );
}

/** Whether a read-only database has this version's schema. */
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
