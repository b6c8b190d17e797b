import { databaseOf } from "../../../accounts/database/database.ts";
import { existsSync } from "node:fs";
import { backupSqlite } from "../../../accounts/database/backup.ts";
import {
  fail,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { DATABASE_URL, DATA_DIR } from "../../settings/settings.ts";

export const accountsBackupCommand: Command = {
  words: ["accounts", "backup"],
  operands: { text: "FILE", least: 1, most: 1 },
  settings: [DATA_DIR, DATABASE_URL],
  summary:
    "Copy accounts, keys, usage and the audit log into a file, also while the service runs.",
  details: [
    "The copy is the database as it is at one moment. To restore it, stop the service, remove accounts.sqlite-wal and accounts.sqlite-shm from the data folder, and put the copy in the place of accounts.sqlite.",
    "It is for the database in the data folder; PostgreSQL has pg_dump.",
  ],
  prepare(reader, [target = ""]) {
    const dataDir = reader.read(DATA_DIR);
    const databaseUrl = reader.read(DATABASE_URL);
    return (context) =>
      Promise.resolve(backup({ dataDir, databaseUrl }, target, context));
  },
};

function backup(
  place: { dataDir: string; databaseUrl: string | null },
  target: string,
  context: Context,
): ExitCode {
  const database = databaseOf(place);
  if (database.kind === "postgresql")
    return fail(
      context,
      `The accounts are on PostgreSQL: back them up with pg_dump --format=custom --file=${target} "$DATABASE_URL".`,
    );
  if (!existsSync(database.file))
    return fail(
      context,
      `There are no accounts in ${place.dataDir}: name the right data folder with --data-dir.`,
    );
  if (backupSqlite(database.file, target).outcome === "exists")
    return fail(context, `${target} is there already: choose another name.`);
  context.out(`Copied the accounts of ${place.dataDir} to ${target}.`);
  return 0;
}
