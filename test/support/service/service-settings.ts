import { join } from "node:path";
import { ACCOUNTS_FILE } from "../../../src/accounts/database/database.ts";
import { BUILT_IN_PLANS } from "../../../src/accounts/plans.ts";
import type { ServiceSettings } from "../../../src/settings/service-settings.ts";

/** A service over a data folder, on a free port, with one worker and nothing that is not chosen. */
export function serviceSettings(
  dataDir: string,
  chosen: Partial<ServiceSettings> = {},
): ServiceSettings {
  return {
    dataDir,
    database: { kind: "sqlite", file: join(dataDir, ACCOUNTS_FILE) },
    databaseGraceMs: 300_000,
    databaseWaitMs: 0,
    plans: BUILT_IN_PLANS,
    host: "127.0.0.1",
    port: 0,
    workers: 1,
    publicUrl: null,
    trustProxy: null,
    securityContacts: [],
    logLevel: "silent",
    metrics: null,
    billing: null,
    signUp: null,
    portal: null,
    ...chosen,
  };
}
