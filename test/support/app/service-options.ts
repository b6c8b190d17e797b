import { randomBytes } from "node:crypto";
import type { ServiceOptions } from "../../../src/server/service.ts";
import { Output } from "../../../src/cli/output/output.ts";
import type { ServiceSettings } from "../../../src/settings/service-settings.ts";
import { SnapshotStore } from "../../../src/store/store.ts";
import { serviceSettings } from "./service-settings.ts";

/** A service over a data folder, with `serviceSettings`. */
export function serviceOptions(
  dataDir: string,
  chosen: Partial<ServiceSettings> = {},
): ServiceOptions {
  return {
    settings: serviceSettings(dataDir, chosen),
    store: new SnapshotStore(dataDir),
    show: () => undefined,
    version: "0",
    clock: Date.now,
    random: randomBytes,
    stop: new AbortController().signal,
    output: new Output(1),
    warn: () => undefined,
  };
}
