import type { Kysely } from "kysely";
import type { DatabasePlace } from "./database.ts";
import { openPostgresql } from "./open-postgresql.ts";
import { openSqlite } from "./open-sqlite.ts";
import type { Tables } from "./tables.ts";

/**
 * Opens the accounts' database for reading and writing, brought to the newest form. Any number of processes may do so at
 * once. Throws AccountsDatabaseError.
 */
export function openDatabase(place: DatabasePlace): Promise<Kysely<Tables>> {
  return place.kind === "sqlite"
    ? openSqlite(place.file)
    : openPostgresql(place.url);
}

/** The database as a library takes it that makes its own queries. */
export interface AccountsDatabase {
  readonly db: Kysely<Tables>;
  readonly type: "sqlite" | "postgres";
}

/** Opens the accounts' database for such a library. Throws AccountsDatabaseError. */
export async function openForLibrary(
  place: DatabasePlace,
): Promise<AccountsDatabase> {
  const type = place.kind === "sqlite" ? "sqlite" : "postgres";
  return { db: await openDatabase(place), type };
}
