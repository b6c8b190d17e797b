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
import { formatCount } from "../../output/format.ts";
import { DATA_DIR, TO } from "../../settings/settings.ts";

const COMMAND = "accounts migrate";

export const accountsMigrateCommand: Command = {
  words: COMMAND.split(" "),
  operands: NO_OPERANDS,
  settings: [TO, DATA_DIR],
  summary:
    "Carry accounts, keys, usage and the audit log over to a PostgreSQL database.",
  details: [
    "Stop the service before: what it counts later stays behind. All is carried over or nothing; a database that holds accounts is refused. The data folder's own database stays as it is.",
    "Then set DATABASE_URL to the same address for every command, and start the service.",
  ],
  prepare(reader) {
    const dataDir = reader.read(DATA_DIR);
    const url = reader.require(TO, "");
    return (context) => migrate(dataDir, url, context);
  },
};

async function migrate(
  dataDir: string,
  url: string,
  context: Context,
): Promise<ExitCode> {
  const source = databaseOf({ dataDir, databaseUrl: null });
  if (source.kind !== "sqlite" || !existsSync(source.file))
    return fail(
      context,
      `There are no accounts in ${dataDir}: name the right data folder with --data-dir.`,
    );
  const moved = await moveAccounts({
    file: source.file,
    url,
    actor: `operator ${operatorName()}: ${COMMAND}`,
    nowMs: context.now(),
  });
  if (moved.outcome === "not_empty")
    return fail(
      context,
      "That database holds accounts already, and was left as it is: choose an empty one.",
    );
  const { api_account: accounts, api_key: keys } = moved.rows;
  context.out(
    `Carried over ${formatCount(accounts)} accounts with ${formatCount(keys)} keys. Set DATABASE_URL to that address from now on, for serve, keys and accounts.`,
  );
  return 0;
}
