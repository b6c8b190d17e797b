import type { DatabasePlace } from "../../accounts/database/database.ts";
import type { Plans } from "../../accounts/plans.ts";
import type { BillingConfig } from "../../billing/billing-config.ts";
import type { AddressBurstMemory } from "../../http/limits/ip-rate-limiter.ts";
import type { TrustedProxies } from "../../http/app-context.ts";
import type { PeopleSetup } from "../../auth/open-auth.ts";
import type { LogLevel } from "../log/log.ts";

/** What a worker thread is given when it starts. */
export interface WorkerSetup {
  /** Its name in the log. */
  readonly name: string;
  /** The data folder, where changes and the state of updates are read. */
  readonly dataDir: string;
  readonly accounts: DatabasePlace;
  /** How long keys go on working from memory while the accounts' database is away. */
  readonly databaseGraceMs: number;
  /** By what name the workers meet to tell each other what they read of keys (`KeyExchange`). */
  readonly keyChannel: string;
  readonly plans: Plans;
  /** Entity tags are made with it. */
  readonly tagSecret: Uint8Array;
  /** The memory in which all workers count (`createUsageBuffer`). */
  readonly usage: SharedArrayBuffer;
  /** The memory in which this worker counts its answers (`createAnswerMemory`), null where nobody watches. */
  readonly answers: SharedArrayBuffer | null;
  /** An address of this machine, no name. */
  readonly host: string;
  readonly publicUrl: string | null;
  /** Null where no plan is sold; with it there is a `publicUrl`. */
  readonly billing: BillingConfig | null;
  readonly trustProxy: TrustedProxies;
  readonly securityContacts: readonly string[];
  /** What sign-up needs; null where it is switched off. */
  readonly people: PeopleSetup | null;
  /** What the portal needs; null where it is switched off. */
  readonly portal: PortalSetup | null;
  readonly logLevel: LogLevel;
}

/** What was chosen of the portal. */
export interface PortalChoice {
  /** Where it was built; null where that failed. */
  readonly folder: string | null;
  /** What its pages call the service. */
  readonly name: string;
  /** Where the map's tiles are, null for the bundled shapes alone. */
  readonly tiles: string | null;
  /** Whose tiles they are; null for their host's name. */
  readonly tilesAttribution: string | null;
  /** Who may explore; null when nobody chose. */
  readonly explorer: "open" | "signed-in" | null;
  /** How many requests a second the explorer allows an address. */
  readonly burstPerSecond: number;
}

/** The same, with the memory in which all workers count the explorer's requests. */
export interface PortalSetup extends PortalChoice {
  readonly bursts: AddressBurstMemory;
}

/** A snapshot as a worker gets it. */
export interface SnapshotToServe {
  readonly bytes: SharedArrayBuffer;
  /** Where its file of details is, if it has one. */
  readonly detailsPath: string;
}

/** From the supervisor to a worker. */
export type ToWorker =
  /** Answer from this snapshot from now on. */
  | { readonly kind: "open"; readonly snapshot: SnapshotToServe }
  /** Answer that no data are loaded. */
  | { readonly kind: "close" }
  | {
      readonly kind: "listen";
      readonly port: number;
      readonly reusePort: boolean;
    }
  /** Take no more connections, finish what runs, and end. */
  | { readonly kind: "drain"; readonly withinMs: number };

/** From a worker to the supervisor. */
export type FromWorker =
  /** Whole lines for the log of the process. */
  | { readonly kind: "log"; readonly lines: string }
  /** A line for whoever reads the terminal. */
  | { readonly kind: "notice"; readonly line: string }
  /** The app stands; nothing is listened on yet. */
  | { readonly kind: "started" }
  | { readonly kind: "opened" }
  /** The snapshot could not be opened; what was served before still is. */
  | { readonly kind: "unopened"; readonly message: string }
  | { readonly kind: "listening"; readonly port: number }
  /** The address cannot be listened on; `code` is the system's. */
  | { readonly kind: "deaf"; readonly code: string; readonly message: string };
