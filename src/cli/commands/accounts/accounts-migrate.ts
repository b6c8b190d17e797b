import { databaseOf } from "../../../accounts/database/database.ts";
import { existsSync } from "node:fs";
import { moveAccounts } from "../../../accounts/database/move-accounts.ts";
import {
  fail,
  NO_OPERANDS,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { operatorName } from "../../data-folder.ts";
import { counted } from "../../output/format.ts";
import { DATA_DIR, TO } from "../../settings/settings.ts";

const COMMAND = "accounts migrate";

export const accountsMigrateCommand: Command = {
  operands: NO_OPERANDS,
  settings: [TO, DATA_DIR],
  summary:
    "Copy accounts, keys, usage and the audit log to a PostgreSQL database.",
  details: [
    "Stop the service first: usage that it counts later is not copied. Either everything is copied or nothing, and a database that already has accounts is refused. The database in the data folder does not change.",
    "Then set DATABASE_URL to the same URL for every command, and start the service.",
  ],
  prepare(reader) {
    const dataDir = reader.read(DATA_DIR);
    const url = reader.require(TO, "");
    const setting = reader.nameOf(TO);
    return (context) => migrate(dataDir, { url, setting }, context);
  },
};

async function migrate(
  dataDir: string,
  target: { readonly url: string; readonly setting: string },
  context: Context,
): Promise<ExitCode> {
  const source = databaseOf({ dataDir, databaseUrl: null });
  if (source.kind !== "sqlite" || !existsSync(source.file))
    return fail(
      context,
      `No accounts in ${dataDir}. Set the data folder with --data-dir.`,
    );
  const moved = await moveAccounts({
    file: source.file,
    ...target,
    actor: `operator ${operatorName()}: ${COMMAND}`,
    nowMs: context.now(),
  });
  if (moved.outcome === "not_empty")
    return fail(
      context,
      "That database already has accounts, and was not changed. Use an empty one.",
    );
  const { accounts, keys } = moved;
  context.out(
    `Copied ${counted(accounts, "account")} with ${counted(keys, "key")}. Now set DATABASE_URL to that URL for serve, keys and accounts.`,
  );
  return 0;
}
