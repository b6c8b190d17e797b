import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { ACCOUNTS_FILE } from "../../../src/accounts/database/database.ts";
import { BUILT_IN_PLANS } from "../../../src/accounts/plans.ts";
import type { ServiceOptions } from "../../../src/server/service.ts";
import { Output } from "../../../src/server/log/output.ts";
import { SnapshotStore } from "../../../src/store/store.ts";

/** A service over a data folder, on a free port, with one worker and nothing that is not asked for. */
export function serviceOptions(
  dataDir: string,
  chosen: Partial<ServiceOptions> = {},
): ServiceOptions {
  return {
    store: new SnapshotStore(dataDir),
    accounts: { kind: "sqlite", file: join(dataDir, ACCOUNTS_FILE) },
    databaseGraceMs: 300_000,
    databaseWaitMs: 0,
    plans: BUILT_IN_PLANS,
    host: "127.0.0.1",
    port: 0,
    workers: 1,
    publicUrl: null,
    billing: null,
    trustProxy: null,
    securityContacts: [],
    people: null,
    portal: null,
    show: () => undefined,
    logLevel: "silent",
    metrics: null,
    version: "0",
    clock: Date.now,
    random: randomBytes,
    stop: new AbortController().signal,
    output: new Output(1),
    warn: () => undefined,
    ...chosen,
  };
}
