import type { DatabasePlace } from "../accounts/database/database.ts";
import type { Plans } from "../accounts/plans.ts";
import type { SignUpSettings } from "../auth/open-auth.ts";
import type { BillingConfig } from "../billing/billing-config.ts";

/** The levels that a log can be set to, the quietest last. */
export const LOG_LEVELS = [
  "trace",
  "debug",
  "info",
  "warn",
  "error",
  "fatal",
  "silent",
] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * What the service is set to. `serve` makes it, and supervisor, worker threads and routes read the same object: it can be
 * cloned to a thread, and nothing changes it. It holds secrets, so it is never logged as a whole.
 */
export interface ServiceSettings {
  /** The data folder: snapshots, changes, the state of updates. */
  readonly dataDir: string;
  /** Where accounts, keys and usage are. */
  readonly database: DatabasePlace;
  /** How long keys keep working from memory while a PostgreSQL server is away. */
  readonly databaseGraceMs: number;
  /** How long a start waits for it. */
  readonly databaseWaitMs: number;
  readonly plans: Plans;
  /** A name or an address of this machine. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** How many threads answer. */
  readonly workers: number;
  /** Where clients reach the service (`https://api.example.org`), without a trailing slash; null when not set. */
  readonly publicUrl: string | null;
  /** Which proxies' word about a client's address counts. */
  readonly trustProxy: TrustedProxies;
  /** Whom to tell of a weakness, as URIs (`mailto:security@example.org`). */
  readonly securityContacts: readonly string[];
  readonly logLevel: LogLevel;
  /** Where metrics are served, null for nowhere. */
  readonly metrics: MetricsAddress | null;
  /** How plans are sold; null when none is. It needs a `publicUrl`. */
  readonly billing: BillingConfig | null;
  /** What sign-up needs; null when it is off. */
  readonly signUp: SignUpSettings | null;
  /** The portal; null when it is off. */
  readonly portal: PortalSettings | null;
}

/** How many proxies are in front, or their addresses and networks; null for none. */
export type TrustedProxies = number | readonly string[] | null;

/** Where metrics are served. */
export interface MetricsAddress {
  /** A name or an address of this machine. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

export interface PortalSettings {
  /** Where its pages were built; null when that failed. */
  readonly folder: string | null;
  /** What the pages call the service. */
  readonly name: string;
  /** Where the map's tiles are (`https://tiles.example.org/{z}/{x}/{y}.png`), null for the bundled shapes. */
  readonly tiles: string | null;
  /** Whose tiles they are; null for their host's name. */
  readonly tilesAttribution: string | null;
  /** Who may explore; null for everybody if the data are invented, else those who are signed in. */
  readonly explorer: "open" | "signed-in" | null;
  /** How many requests a second the explorer allows an address. */
  readonly burstPerSecond: number;
}
