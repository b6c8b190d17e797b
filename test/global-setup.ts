/** What `npm test` starts once for all test files (`--test-global-setup`); their addresses go to them by the environment. */

import { env } from "node:process";
import {
  NO_POSTGRESQL,
  POSTGRESQL_OF_RUN,
  TestPostgresql,
} from "./support/servers/postgresql-server.ts";

const owned = new AsyncDisposableStack();

export async function globalSetup(): Promise<void> {
  if (NO_POSTGRESQL === false) {
    const postgresql = owned.use(await TestPostgresql.start());
    await postgresql.makeTemplate();
    env[POSTGRESQL_OF_RUN] = postgresql.folder;
  }
}

export async function globalTeardown(): Promise<void> {
  await owned.disposeAsync();
}
