import { join } from "node:path";
import { ACCOUNTS_FILE } from "../../../src/accounts/database/database.ts";
import { BUILT_IN_PLANS } from "../../../src/accounts/plans.ts";
import { REGISTRY_API } from "../../../src/settings/registry-api-settings.ts";
import {
  SERVICE,
  type ServiceSettings,
} from "../../../src/settings/service-settings.ts";
import { SettingReader } from "../../../src/settings/setting-reader.ts";

export const REGISTRY_API_DEFAULTS = new SettingReader(
  {},
  new Map(),
  Object.values(REGISTRY_API),
).readAll(REGISTRY_API);
const DEFAULTS = new SettingReader(
  {},
  new Map(),
  Object.values(SERVICE),
).readAll(SERVICE);

/** A service over a data folder, on a free port, with one worker and otherwise the defaults. */
export function serviceSettings(
  dataDir: string,
  chosen: Partial<ServiceSettings> = {},
): ServiceSettings {
  return {
    ...DEFAULTS,
    dataDir,
    database: { kind: "sqlite", file: join(dataDir, ACCOUNTS_FILE) },
    databaseWaitMs: 0,
    plans: BUILT_IN_PLANS,
    port: 0,
    workers: 1,
    logLevel: "silent",
    snapshotStore: null,
    telemetry: null,
    billing: null,
    signUp: null,
    portal: null,
    registryApi: REGISTRY_API_DEFAULTS,
    ...chosen,
  };
}
