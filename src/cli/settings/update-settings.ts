import { Cron } from "croner";
import {
  parseSource,
  REGISTRY_PAGE,
  TAXONOMY_PAGE,
} from "../../update/http/source.ts";
import { UpdateError } from "../../update/update-error.ts";
import type {
  Environment,
  SettingReader,
} from "../../settings/setting-reader.ts";
import {
  choice,
  optional,
  setting,
  toggle,
  type Parsed,
  type ValuesOf,
} from "../../settings/setting.ts";
import {
  PUBLISH,
  PUBLISH_WAIT,
  publishVariables,
  readPublishOptions,
  type PublishOptions,
} from "./fleet-settings.ts";
import {
  DATA_DIR,
  DEACTIVATED_DETAILS,
  DETAILS,
  FORCE,
  KEEP_CHANGES,
  KEEP_SNAPSHOTS,
} from "./settings.ts";

/** Instead of an address: skip it. */
const NONE = "none";

export const SOURCE = setting<URL>({
  flag: "source",
  variable: "UPDATE_SOURCE",
  placeholder: "URL|DIR",
  help: "Where to get the registry's files: a page that links to them, or a folder.",
  defaultValue: new URL(REGISTRY_PAGE),
  defaultText: "the registry's download page",
  parse: parseSourceSetting,
});

export const TAXONOMY_SOURCE = setting<URL | null>({
  flag: "taxonomy-source",
  variable: "TAXONOMY_SOURCE",
  placeholder: "URL|DIR|none",
  help: "Where to get NUCC's taxonomy file: a page, a folder, or none to skip it.",
  defaultValue: new URL(TAXONOMY_PAGE),
  defaultText: "NUCC's page",
  parse: (text) =>
    text === NONE ? { ok: true, value: null } : parseSourceSetting(text),
});

const KEEP_DOWNLOADS = choice({
  flag: "keep-downloads",
  variable: "KEEP_DOWNLOADS",
  help: "Which downloads to keep after an update: the newest full file and what came after it, or nothing.",
  defaultValue: "newest",
  choices: ["newest", "nothing"],
});

export const DRY_RUN = toggle({
  flag: "dry-run",
  variable: "DRY_RUN",
  help: "Show what would be done without doing it.",
});

export const UPDATE = optional({
  flag: "update",
  variable: "UPDATE",
  placeholder: "CRON",
  help: 'When to update while serving, as a cron expression: "0 6 * * *" is daily at 06:00.',
  defaultText: "never",
  parse: parseSchedule,
});

export const UPDATE_ZONE = setting<string>({
  flag: "update-zone",
  variable: "UPDATE_ZONE",
  placeholder: "ZONE",
  help: "Time zone of the cron expression, such as America/New_York.",
  defaultValue: "UTC",
  parse: parseZone,
});

/** The settings of an update, run by hand or on a schedule. */
const OPTIONS = {
  source: SOURCE,
  taxonomySource: TAXONOMY_SOURCE,
  keepDownloads: KEEP_DOWNLOADS,
  details: DETAILS,
  deactivatedDetails: DEACTIVATED_DETAILS,
  keepSnapshots: KEEP_SNAPSHOTS,
  keepChanges: KEEP_CHANGES,
};

export const UPDATE_SETTINGS = [
  ...Object.values(OPTIONS),
  PUBLISH,
  PUBLISH_WAIT,
];

export interface UpdateOptions extends ValuesOf<typeof OPTIONS> {
  readonly dataDir: string;
  /** The publication afterwards; null if it isn't wanted. */
  readonly publish: PublishOptions | null;
}

/** Reads UPDATE_SETTINGS, the data folder, and with --publish, PUBLISH_SETTINGS. */
export function readUpdateOptions(reader: SettingReader): UpdateOptions {
  return {
    ...reader.readAll(OPTIONS),
    dataDir: reader.read(DATA_DIR),
    publish: reader.read(PUBLISH) ? readPublishOptions(reader, PUBLISH) : null,
  };
}

/**
 * Writes the options as variables for an update process. A URL may contain a password, which arguments would reveal.
 */
export function updateVariables(options: UpdateOptions): Environment {
  return {
    [DATA_DIR.variable]: options.dataDir,
    [SOURCE.variable]: options.source.href,
    [TAXONOMY_SOURCE.variable]: options.taxonomySource?.href ?? NONE,
    [KEEP_DOWNLOADS.variable]: options.keepDownloads,
    [DEACTIVATED_DETAILS.variable]: options.deactivatedDetails,
    [DETAILS.variable]: [...options.details].join(",") || NONE,
    [KEEP_SNAPSHOTS.variable]: String(options.keepSnapshots),
    [KEEP_CHANGES.variable]: String(options.keepChanges),
    [DRY_RUN.variable]: "false",
    [FORCE.variable]: "false",
    ...publishVariables(options.publish),
  };
}

function parseSourceSetting(text: string): Parsed<URL> {
  try {
    return { ok: true, value: parseSource(text) };
  } catch (error) {
    if (!(error instanceof UpdateError)) throw error;
    return {
      ok: false,
      problem:
        "must be the http or https URL of a page that links to the files, or a folder",
    };
  }
}

function parseSchedule(text: string): Parsed<string> {
  try {
    if (new Cron(text, { paused: true }).nextRun() !== null)
      return { ok: true, value: text };
  } catch {
    // The library's own messages are for programmers.
  }
  return {
    ok: false,
    problem:
      'must be a cron expression with a next run, such as "0 6 * * *" for daily at 06:00',
  };
}

function parseZone(text: string): Parsed<string> {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text }).format(0);
    return { ok: true, value: text };
  } catch {
    return {
      ok: false,
      problem: "must be a time zone, such as UTC or America/New_York",
    };
  }
}
