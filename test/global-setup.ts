/** What `npm test` starts once for all test files (`--test-global-setup`); their addresses go to them by the environment. */

import { env } from "node:process";
import { CHROMIUM_OF_RUN, launchChromiumServer } from "./portal/chromium.ts";
import { DEMO_OF_RUN, startDemo } from "./portal/portal-service.ts";
import {
  DEMO_FOLDER_OF_RUN,
  makeDemoFolder,
} from "./support/program/demo-folder.ts";
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
  env[DEMO_FOLDER_OF_RUN] = owned.use(await makeDemoFolder()).path;
  const chromium = await launchChromiumServer();
  // Each file that needs a browser says why there is none.
  if (typeof chromium === "string") return;
  owned.defer(() => chromium.close());
  env[CHROMIUM_OF_RUN] = chromium.wsEndpoint();
  const demo = owned.use(await startDemo({ EXPLORER_BURST: "1000" }));
  env[DEMO_OF_RUN] = demo.url;
}

export async function globalTeardown(): Promise<void> {
  await owned.disposeAsync();
}
