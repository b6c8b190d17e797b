/**
 * The PostgreSQL servers of tests: one for the whole run, which `test/global-setup.ts` starts, and one for each test
 * file that stops its server.
 */

import { env } from "node:process";
import { after } from "node:test";
import { POSTGRESQL_OF_RUN, TestPostgresql } from "./postgresql-server.ts";
import { TestDatabases } from "./test-databases.ts";

export { NO_POSTGRESQL } from "./postgresql-server.ts";

let own: Promise<TestPostgresql> | null = null;

/** A server of the test file only: started when it is first needed, and ended with the file. */
export function postgresqlOfFile(): Promise<TestPostgresql> {
  return (own ??= TestPostgresql.start());
}

const { [POSTGRESQL_OF_RUN]: folder } = env;
const ofRun = folder === undefined ? null : new TestDatabases(folder);

/** The server of the run, which no test stops; the test file's where it is run by itself. */
export function postgresqlOfRun(): Promise<TestDatabases> {
  return ofRun === null ? postgresqlOfFile() : Promise.resolve(ofRun);
}

after(async () => {
  await ofRun?.drop();
  if (own !== null) await (await own)[Symbol.asyncDispose]();
});
