import { availableParallelism, hostname } from "node:os";
import type { DatabasePlace } from "../accounts/database/database.ts";
import {
  BUILT_IN_PLANS,
  configurePlans,
  type Plans,
} from "../accounts/plans.ts";
import type { SignUpSettings } from "../auth/open-auth.ts";
import type { BillingConfig } from "../billing/billing-config.ts";
import {
  parseContacts,
  parseDatabaseUrl,
  parseMetricsAddress,
  parsePublicUrl,
  parseSnapshotStore,
  parseTrustProxy,
  type TrustedProxies,
} from "./addresses.ts";
import type { REGISTRY_API } from "./registry-api-settings.ts";
import type { TelemetrySettings } from "./telemetry-settings.ts";
import type { PORTAL } from "./portal-settings.ts";
import type { StoreEnvironment } from "./setting-reader.ts";
import {
  choice,
  integer,
  optional,
  setting,
  valid,
  type Parsed,
  type ValuesOf,
} from "./setting.ts";

/** Log levels, from the most verbose. */
const LOG_LEVELS = [
  "trace",
  "debug",
  "info",
  "warn",
  "error",
  "fatal",
  "silent",
] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The place of the accounts, and their plans. */
export const ACCOUNTS = {
  dataDir: setting<string>({
    flag: "data-dir",
    variable: "DATA_DIR",
    placeholder: "DIR",
    help: "The data folder, for snapshots, accounts and usage.",
    defaultValue: "data",
    defaultText: "./data",
    parse: (text) => ({ ok: true, value: text }),
  }),
  databaseUrl: optional({
    flag: "database-url",
    variable: "DATABASE_URL",
    placeholder: "URL",
    help: "PostgreSQL database for accounts, keys and usage: postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
    defaultText: "accounts.sqlite in the data folder",
    isSecret: true,
    parse: parseDatabaseUrl,
  }),
  plans: setting<Plans>({
    flag: "plans",
    variable: "PLANS",
    placeholder: "JSON",
    help: "Plans to add, or to change free and paid: an object of plan names, each with monthlyQuota, burstPerSecond, and files (true if its users may take /v1/files).",
    defaultValue: BUILT_IN_PLANS,
    defaultText: "free and paid",
    isLong: true,
    parse: parsePlans,
  }),
};

/** A snapshot store, and how to reach it. */
export interface StorePlace {
  /** May have a password; never log it. */
  readonly url: string;
  readonly environment: StoreEnvironment;
}

/** The place of published snapshots. */
export const SNAPSHOT_STORE = setting<string | null>({
  flag: "snapshot-store",
  variable: "SNAPSHOT_STORE",
  placeholder: "URL",
  help: "Where to publish snapshots and pull them from: s3://BUCKET/PREFIX, file:///FOLDER, or, only to pull, an https: or http: URL.",
  defaultValue: null,
  defaultText: "none",
  isSecret: true,
  parse: parseSnapshotStore,
});

/** The service and its addresses. */
export const SERVICE = {
  databaseGraceMs: integer({
    flag: "database-grace",
    variable: "DATABASE_GRACE",
    placeholder: "SECONDS",
    help: "How long keys keep working from memory while PostgreSQL is unavailable.",
    defaultValue: 300_000,
    min: 0,
    max: 86_400,
    unit: 1_000,
  }),
  databaseWaitMs: integer({
    flag: "database-wait",
    variable: "DATABASE_WAIT",
    placeholder: "SECONDS",
    help: "How long to wait at startup for PostgreSQL to become available.",
    defaultValue: 60_000,
    min: 0,
    max: 86_400,
    unit: 1_000,
  }),
  quotaWhenAway: choice({
    flag: "quota-when-away",
    variable: "QUOTA_WHEN_AWAY",
    help: "What an account gets once its prepaid requests are used up while PostgreSQL is unavailable: nothing (strict), or requests until the grace ends (grace).",
    defaultValue: "grace",
    choices: ["strict", "grace"],
  }),
  host: setting<string>({
    flag: "host",
    variable: "HOST",
    placeholder: "HOST",
    help: "Address to listen on; 0.0.0.0 for all of the machine's addresses.",
    defaultValue: "127.0.0.1",
    parse: (text) => ({ ok: true, value: text }),
  }),
  port: integer({
    flag: "port",
    variable: "PORT",
    placeholder: "PORT",
    help: "Port to listen on; 0 picks a free one.",
    defaultValue: 8080,
    min: 0,
    max: 65_535,
  }),
  workers: integer({
    flag: "workers",
    variable: "WORKERS",
    placeholder: "N",
    help: "Number of threads that serve requests.",
    defaultValue: availableParallelism(),
    defaultText: "one per core",
    min: 1,
    max: 256,
  }),
  publicUrl: optional({
    flag: "public-url",
    variable: "PUBLIC_URL",
    placeholder: "URL",
    help: "The service's public URL, for links in responses.",
    defaultText: "the request's host",
    parse: parsePublicUrl,
  }),
  trustProxy: setting<TrustedProxies>({
    flag: "trust-proxy",
    variable: "TRUST_PROXY",
    placeholder: "N|ADDRESSES",
    help: "Proxies whose X-Forwarded-For is trusted: how many are in front, or a comma-separated list of their addresses and networks.",
    defaultValue: null,
    defaultText: "none",
    parse: parseTrustProxy,
  }),
  previousSnapshotMs: integer({
    flag: "previous-snapshot",
    variable: "PREVIOUS_SNAPSHOT",
    placeholder: "SECONDS",
    help: "How long to keep the previous snapshot for requests with snapshot=ID. Until then, it takes as much memory as the current one; 0 releases it at once.",
    defaultValue: 3_600_000,
    min: 0,
    max: 604_800,
    unit: 1_000,
  }),
  files: choice({
    flag: "files",
    variable: "FILES",
    help: "Whether to make Parquet and NDJSON files of each snapshot for /v1/files, which plans with files may take.",
    defaultValue: "off",
    choices: ["off", "on"],
  }),
  drainDelayMs: integer({
    flag: "drain-delay",
    variable: "DRAIN_DELAY",
    placeholder: "SECONDS",
    help: "How long to keep serving after a signal to stop, while /readyz is 503, so that load balancers notice.",
    defaultValue: 0,
    min: 0,
    max: 3_600,
    unit: 1_000,
  }),
  securityContacts: setting<readonly string[]>({
    flag: "security-contact",
    variable: "SECURITY_CONTACT",
    placeholder: "ADDRESSES",
    help: "Contacts for security reports, for /.well-known/security.txt: email addresses, https: or tel: URLs, comma-separated.",
    defaultValue: [],
    defaultText: "no security.txt",
    parse: parseContacts,
  }),
  logLevel: choice({
    flag: "log-level",
    variable: "LOG_LEVEL",
    placeholder: "LEVEL",
    help: `Lowest level to log: ${LOG_LEVELS.join(", ")}.`,
    defaultValue: null,
    defaultText: "info; warn for npm start",
    choices: LOG_LEVELS,
  }),
  logFormat: choice({
    flag: "log-format",
    variable: "LOG_FORMAT",
    help: "The format of the log's lines: for people, or JSON for programs.",
    defaultValue: null,
    defaultText: "text in a terminal, else json",
    choices: ["text", "json"],
  }),
  nodeName: setting<string>({
    flag: "node-name",
    variable: "NODE_NAME",
    placeholder: "NAME",
    help: "This node's name in a fleet: up to 63 letters, digits, dots, hyphens and underscores.",
    defaultValue: hostname(),
    defaultText: "the host's name",
    parse: valid(
      (text) => /^[A-Za-z0-9._-]{1,63}$/.test(text),
      "must be 1 to 63 letters, digits, dots, hyphens or underscores",
    ),
  }),
  mcp: choice({
    flag: "mcp",
    variable: "MCP",
    help: "Whether assistants can use the service at /mcp, by the Model Context Protocol, with an API key.",
    defaultValue: "off",
    choices: ["off", "on"],
  }),
  metrics: optional({
    flag: "metrics",
    variable: "METRICS",
    placeholder: "HOST:PORT",
    help: "Address for Prometheus metrics, at /metrics. They need no key, so choose an address that is not public.",
    defaultText: "off",
    parse: parseMetricsAddress,
  }),
};

/**
 * The service's settings. `serve` creates them; supervisor, worker threads and routes read the same immutable object,
 * which can be cloned to a thread. It contains secrets, so never log it as a whole.
 */
export interface ServiceSettings
  extends
    Omit<ValuesOf<typeof SERVICE>, "logLevel">,
    Omit<ValuesOf<typeof ACCOUNTS>, "databaseUrl"> {
  readonly logLevel: LogLevel;
  /** The place of published snapshots; null if the data folder only has its own imports. */
  readonly snapshotStore: StorePlace | null;
  /** The database of accounts, keys and usage. */
  readonly database: DatabasePlace;
  /** The sale of plans; null if none are sold. Needs a `publicUrl`. */
  readonly billing: BillingConfig | null;
  /** The data for an OpenTelemetry collector; null for none. */
  readonly telemetry: TelemetrySettings | null;
  /** Settings of the registry's own API. */
  readonly registryApi: ValuesOf<typeof REGISTRY_API>;
  /** Sign-up settings; null if it is off. */
  readonly signUp: SignUpSettings | null;
  /** Portal settings; null if it is off. */
  readonly portal: PortalSettings | null;
}

export interface PortalSettings extends Omit<ValuesOf<typeof PORTAL>, "logo"> {
  readonly logo: Logo | null;
  /** The program's version. */
  readonly version: string;
  /** The built pages; null if there is no build of these sources. */
  readonly build: HeldBuild | null;
}

/** The operator's logo, in memory. */
export interface Logo {
  /** The media type. */
  readonly type: string;
  /** The end of its address, which changes with its contents. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A build of the portal, in memory. */
export interface HeldBuild {
  /** Its folder, which may be gone, next to those of other builds. */
  readonly folder: string;
  /** Its files, by path in the folder, in memory that threads share. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

function parsePlans(text: string): Parsed<Plans> {
  let configuration: unknown;
  try {
    configuration = JSON.parse(text);
  } catch {
    return {
      ok: false,
      problem:
        'must be JSON, such as {"team":{"monthlyQuota":100000,"burstPerSecond":100}}',
    };
  }
  const outcome = configurePlans(configuration);
  return outcome.outcome === "plans"
    ? { ok: true, value: outcome.plans }
    : {
        ok: false,
        problem: `is invalid. ${outcome.problems.join(" ").replace(/\.$/, "")}`,
      };
}
