import { availableParallelism } from "node:os";
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
  parseTrustProxy,
  type MetricsAddress,
  type TrustedProxies,
} from "./addresses.ts";
import type { PORTAL } from "./portal-settings.ts";
import {
  oneOf,
  setting,
  whole,
  type Parsed,
  type ValuesOf,
} from "./setting.ts";

/** The levels that a log can be set to, the quietest last. */
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

/** Where accounts are, and the plans that they may have. */
export const ACCOUNTS = {
  dataDir: setting<string>({
    flag: "data-dir",
    variable: "DATA_DIR",
    takes: "DIR",
    help: "The data folder: snapshots, accounts, usage.",
    fallback: "data",
    fallbackText: "./data",
    parse: (text) => ({ ok: true, value: text }),
  }),
  databaseUrl: setting<string | null>({
    flag: "database-url",
    variable: "DATABASE_URL",
    takes: "URL",
    help: "A PostgreSQL database for accounts, keys and usage, as postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
    fallback: null,
    fallbackText: "accounts.sqlite in the data folder",
    isSecret: true,
    parse: parseDatabaseUrl,
  }),
  plans: setting<Plans>({
    flag: "plans",
    variable: "PLANS",
    takes: "JSON",
    help: "Plans beside or instead of free and paid: an object of names, each with monthlyQuota, burstPerSecond and, if need be, explorerPages.",
    fallback: BUILT_IN_PLANS,
    fallbackText: "free and paid",
    parse: parsePlans,
  }),
};

/** How the service runs, and who reaches it where. */
export const SERVICE = {
  databaseGraceMs: whole({
    flag: "database-grace",
    variable: "DATABASE_GRACE",
    takes: "SECONDS",
    help: "How long known keys go on working from memory while the PostgreSQL database is away.",
    fallback: 300_000,
    fallbackText: "300",
    least: 0,
    most: 86_400,
    unit: 1_000,
  }),
  databaseWaitMs: whole({
    flag: "database-wait",
    variable: "DATABASE_WAIT",
    takes: "SECONDS",
    help: "How long to wait for the PostgreSQL database at the start, where it is away.",
    fallback: 60_000,
    fallbackText: "60",
    least: 0,
    most: 86_400,
    unit: 1_000,
  }),
  host: setting<string>({
    flag: "host",
    variable: "HOST",
    takes: "HOST",
    help: "The address to listen on; 0.0.0.0 is every one of the machine.",
    fallback: "127.0.0.1",
    fallbackText: "127.0.0.1",
    parse: (text) => ({ ok: true, value: text }),
  }),
  port: whole({
    flag: "port",
    variable: "PORT",
    takes: "PORT",
    help: "The port to listen on; 0 lets the system choose.",
    fallback: 8080,
    fallbackText: "8080",
    least: 0,
    most: 65_535,
  }),
  workers: whole({
    flag: "workers",
    variable: "WORKERS",
    takes: "N",
    help: "How many threads answer requests.",
    fallback: availableParallelism(),
    fallbackText: "one for each core",
    least: 1,
    most: 256,
  }),
  publicUrl: setting<string | null>({
    flag: "public-url",
    variable: "PUBLIC_URL",
    takes: "URL",
    help: "Where clients reach the service, for the links in answers.",
    fallback: null,
    fallbackText: "the host of the request",
    parse: parsePublicUrl,
  }),
  trustProxy: setting<TrustedProxies>({
    flag: "trust-proxy",
    variable: "TRUST_PROXY",
    takes: "N|ADDRESSES",
    help: "Whose X-Forwarded-For counts: how many proxies stand in front, or their addresses and networks, with commas.",
    fallback: null,
    fallbackText: "nobody's",
    parse: parseTrustProxy,
  }),
  securityContacts: setting<readonly string[]>({
    flag: "security-contact",
    variable: "SECURITY_CONTACT",
    takes: "ADDRESSES",
    help: "Whom to tell of a weakness, for /.well-known/security.txt: mail addresses, https: or tel: addresses, with commas.",
    fallback: [],
    fallbackText: "there is no security.txt",
    parse: parseContacts,
  }),
  logLevel: setting<LogLevel | null>({
    flag: "log-level",
    variable: "LOG_LEVEL",
    takes: "LEVEL",
    help: `The least serious lines to log: ${LOG_LEVELS.join(", ")}.`,
    fallback: null,
    fallbackText: "info, for npm start warn",
    parse: oneOf(LOG_LEVELS),
  }),
  metrics: setting<MetricsAddress | null>({
    flag: "metrics",
    variable: "METRICS",
    takes: "HOST:PORT",
    help: "Where to serve metrics for Prometheus, at /metrics; they need no key, so choose an address that is not public.",
    fallback: null,
    fallbackText: "nowhere",
    parse: parseMetricsAddress,
  }),
};

/**
 * What the service is set to. `serve` makes it, and supervisor, worker threads and routes read the same object: it can be
 * cloned to a thread, and nothing changes it. It holds secrets, so it is never logged as a whole.
 */
export interface ServiceSettings
  extends
    Omit<ValuesOf<typeof SERVICE>, "logLevel">,
    Omit<ValuesOf<typeof ACCOUNTS>, "databaseUrl"> {
  readonly logLevel: LogLevel;
  /** Where accounts, keys and usage are. */
  readonly database: DatabasePlace;
  /** How plans are sold; null when none is. It needs a `publicUrl`. */
  readonly billing: BillingConfig | null;
  /** What sign-up needs; null when it is off. */
  readonly signUp: SignUpSettings | null;
  /** The portal; null when it is off. */
  readonly portal: PortalSettings | null;
}

export interface PortalSettings extends ValuesOf<typeof PORTAL> {
  /** Where its pages were built; null when that failed. */
  readonly folder: string | null;
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
        problem: `is not usable (${outcome.problems.join(" ")})`,
      };
}
