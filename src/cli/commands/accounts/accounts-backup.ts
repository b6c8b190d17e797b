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
  operands: { text: "FILE", min: 1, max: 1 },
  settings: [DATA_DIR, DATABASE_URL],
  summary:
    "Back up accounts, keys, usage and the audit log to a file. The service may keep running.",
  details: [
    "The file is a consistent copy of the database. To restore it, stop the service, delete accounts.sqlite-wal and accounts.sqlite-shm from the data folder, and replace accounts.sqlite with the copy.",
    "This is for the SQLite database in the data folder. For PostgreSQL, use pg_dump.",
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
      'The accounts are in PostgreSQL. Back them up with pg_dump: see docs/deploying.md, "Backup and restore".',
    );
  if (!existsSync(database.file))
    return fail(
      context,
      `No accounts in ${place.dataDir}. Set the data folder with --data-dir.`,
    );
  if (backupSqlite(database.file, target).outcome === "exists")
    return fail(context, `${target} already exists. Choose another name.`);
  context.out(`Backed up the accounts in ${place.dataDir} to ${target}.`);
  return 0;
}
