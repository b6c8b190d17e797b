/** Accounts on PostgreSQL, and suites that run on both databases. */

import { suite } from "node:test";
import { IS_FULL } from "../pure/full-run.ts";
import {
  install,
  installOver,
  type Installation,
  type InstallOptions,
} from "../app/accounts-installation.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
  postgresqlOfRun,
} from "./postgresql.ts";

/** Accounts on PostgreSQL, in a database on the run's server that no other test uses meanwhile. */
export async function installOnPostgresql(
  options: InstallOptions = {},
): Promise<Installation> {
  const owned = new AsyncDisposableStack();
  const server = await postgresqlOfRun();
  const { place } = owned.use(await server.shareDatabase());
  const installation = owned.use(await installOver(place, options));
  return { ...installation, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Accounts on the PostgreSQL server of the test file, which may be stopped. */
export async function installOnOwnPostgresql(
  options: InstallOptions = {},
): Promise<Installation> {
  const server = await postgresqlOfFile();
  return installOver(await server.makeDatabase(), options);
}

/** A suite over something that is the same on SQLite and on PostgreSQL: two suites. */
export function suiteOnBoth(
  name: string,
  body: (make: typeof install) => void,
): void {
  suite(`${name} on SQLite`, () => body(install));
  suite(`${name} on PostgreSQL`, { skip: NO_POSTGRESQL }, () =>
    body(installOnPostgresql),
  );
}

/**
 * Like `suiteOnBoth`, but on SQLite only outside the full run: for what does not depend on how statements are written.
 */
export function suiteOnBothInFull(
  name: string,
  body: (make: typeof install) => void,
): void {
  if (IS_FULL) suiteOnBoth(name, body);
  else suite(`${name} on SQLite`, () => body(install));
}
