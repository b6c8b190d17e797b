import {
  ACCOUNTS,
  SERVICE,
  SNAPSHOT_STORE,
  type StorePlace,
} from "../../settings/service-settings.ts";
import type {
  Environment,
  SettingReader,
} from "../../settings/setting-reader.ts";
import { integer, toggle } from "../../settings/setting.ts";

export const PUBLISH = toggle({
  flag: "publish",
  variable: "PUBLISH",
  help: "Publish the current snapshot after an update, even if there was nothing new.",
});

export const PUBLISH_WAIT = integer({
  flag: "publish-wait",
  variable: "PUBLISH_WAIT",
  placeholder: "SECONDS",
  help: "How long to wait for nodes to download a publication before it is activated without them.",
  defaultValue: 600_000,
  min: 0,
  max: 86_400,
  unit: 1_000,
});

/** The settings of a publication, without the data folder. */
export const PUBLISH_SETTINGS = [
  SNAPSHOT_STORE,
  PUBLISH_WAIT,
  ACCOUNTS.databaseUrl,
  SERVICE.nodeName,
];

export interface PublishOptions {
  readonly dataDir: string;
  readonly place: StorePlace;
  /** The database of the fleet; null if there is only the store. */
  readonly databaseUrl: string | null;
  readonly nodeName: string;
  readonly waitMs: number;
}

/** Reads SNAPSHOT_STORE; null without one. */
export function readStorePlace(reader: SettingReader): StorePlace | null {
  const url = reader.read(SNAPSHOT_STORE);
  return url === null ? null : { url, environment: reader.storeEnvironment() };
}

/** Reads PUBLISH_SETTINGS, which the command or `by` needs, and the data folder. */
export function readPublishOptions(
  reader: SettingReader,
  by: typeof PUBLISH | null = null,
): PublishOptions {
  return {
    dataDir: reader.read(ACCOUNTS.dataDir),
    place: {
      url: reader.require(SNAPSHOT_STORE, "", by),
      environment: reader.storeEnvironment(),
    },
    databaseUrl: reader.read(ACCOUNTS.databaseUrl),
    nodeName: reader.read(SERVICE.nodeName),
    waitMs: reader.read(PUBLISH_WAIT),
  };
}

/** Writes the options as variables for an update process; null: it does not publish. */
export function publishVariables(options: PublishOptions | null): Environment {
  if (options === null) return { [PUBLISH.variable]: "false" };
  return {
    [PUBLISH.variable]: "true",
    [SNAPSHOT_STORE.variable]: options.place.url,
    [ACCOUNTS.databaseUrl.variable]: options.databaseUrl ?? "",
    [SERVICE.nodeName.variable]: options.nodeName,
    [PUBLISH_WAIT.variable]: String(options.waitMs / 1_000),
  };
}
