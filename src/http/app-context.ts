import type { FileHandle } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import type { BaseLogger } from "pino";
import type { Attempts } from "../accounts/users/attempts.ts";
import type { Gate } from "../accounts/metering/thread-gate.ts";
import type {
  ServiceSettings,
  PortalSettings,
} from "../settings/service-settings.ts";
import type { FilesAnswer } from "../contract/answers.ts";
import type { ErrorCode } from "../contract/errors/errors.ts";
import type { ChangePage, PageRequest } from "../changes/change-reader.ts";
import type { PastChange } from "../changes/provider-history.ts";
import type { Billing } from "../billing/billing.ts";
import type { Directory } from "../search/directory.ts";
import type { FileDays } from "./access/file-days.ts";
import type { WorkbookPlaces } from "./exports/workbook/workbook-places.ts";
import type { IpRateLimiter } from "./limits/ip-rate-limiter.ts";
import type { BuiltSite } from "./pages/built-site.ts";
import type { TileFile } from "./pages/tile-file.ts";
import type { AuthService } from "../auth/auth.ts";
import type { AnswerNotes } from "./pipeline/request-log.ts";
import type { ServiceAddress } from "./pipeline/failure-reply.ts";

/** Everything the HTTP app depends on. It reads no environment, clock or randomness of any other source. */
export interface AppContext extends ServiceAddress, AnswerNotes {
  readonly settings: ServiceSettings;
  readonly data: DataHolder;
  readonly changes: ChangeLog;
  /** Returns the time of the next check for new data, ISO 8601; null without a schedule. */
  readonly nextUpdate: () => string | null;
  readonly gate: Gate;
  /** The installation's secret (`installationSecret`), for entity tags. */
  readonly tagSecret: Uint8Array;
  /** Returns now, in epoch milliseconds. */
  readonly now: () => number;
  /** Makes a request id that matches `REQUEST_ID`. */
  readonly makeRequestId: () => string;
  readonly logger: BaseLogger | null;
  /** Says why load balancers should send no requests to this node, apart from missing data; null if they should. */
  readonly unreadyReason: () => UnreadyReason | null;
  /** True if usage can be written to the accounts database; if not, it is kept in memory. */
  readonly isUseWritten: () => boolean;
  /** The dependencies of the billing routes; null if no plan is sold, and then the routes do not exist. */
  readonly billing: BillingDependencies | null;
  /** Sign-up and sign-in; null if they are off. */
  readonly auth: LazyAuth | null;
  /** The portal; null if it is off. */
  readonly portal: PortalDependencies | null;
  /** The files of snapshots; null if none are made. */
  readonly files: FilesDependencies | null;
  /** Limits requests to the registry's API without a key. */
  readonly registryVisitors: IpRateLimiter;
}

/**
 * The reason why load balancers should send no requests to a node that has data: it stops, lacks the snapshot that the
 * fleet serves, or has been without the accounts database for longer than known keys work.
 */
export type UnreadyReason = Extract<
  ErrorCode,
  "shutting_down" | "snapshot_behind" | "accounts_unavailable"
>;

/** The dependencies of the portal. */
export interface PortalDependencies {
  readonly settings: PortalSettings;
  /** The built pages; null if there is no build of these sources. */
  readonly site: BuiltSite | null;
  /** Limits requests to the explorer: of networks, and of accounts. */
  readonly limiter: IpRateLimiter;
  /** Limits the workbooks that the process makes. */
  readonly workbooks: WorkbookPlaces;
  /** The operator's own tiles for the map; null if they come from elsewhere. */
  readonly tileFile: TileFile | null;
}

/** The dependencies of the routes of files. */
export interface FilesDependencies {
  readonly kept: FilesOfSnapshots;
  /** Notes which of them accounts have taken today. */
  readonly days: FileDays;
}

/** Reads the files next to snapshots; implemented by `tables/kept-files.ts`. */
export interface FilesOfSnapshots {
  /** Returns the list of the files of a snapshot, whose id is well formed, and its hash; null if it has none. */
  manifestOf(snapshot: string): {
    readonly text: Buffer;
    readonly tag: string;
    readonly answer: FilesAnswer;
  } | null;
  /** Opens a file of that list. Rejects if the snapshot is gone. */
  open(snapshot: string, name: string): Promise<FileHandle>;
}

export interface BillingDependencies {
  readonly billing: Billing;
  readonly findOwner: FindOwner;
  /** Counts what users do. */
  readonly attempts: Pick<Attempts, "take">;
  /** The service's public URL, to which Stripe redirects. */
  readonly publicUrl: string;
}

/** Finds the account whose owner sends a request; null if no user is signed in. Rejects if the database is away. */
export type FindOwner = (request: {
  readonly headers: IncomingHttpHeaders;
}) => Promise<AccountOwner | null>;

/** The account of a signed-in user. */
export interface AccountOwner {
  /** The account's id in the accounts database. */
  readonly accountId: number;
  readonly email: string;
}

/** Sign-up and sign-in, opened on first use. */
export interface LazyAuth {
  /** Rejects if the accounts database is unavailable; the next call tries again. */
  open(): Promise<AuthService>;
  /** Returns the service's public URL, without a trailing slash; known once it listens. */
  url(): string;
  /** Returns the origins of pages that may change something. */
  origins(): readonly string[];
}

/** Holds the snapshots that are served. They can be swapped while the app runs. */
export interface DataHolder {
  /** Null before the first one. */
  readonly current: Directory | null;
  /** The one before, for requests that insist on it; null once it is released. */
  readonly previous: Directory | null;
  readonly expected: ExpectedSnapshots;
}

/** Snapshots that this thread will probably serve soon, and other threads or nodes may serve already. */
export interface ExpectedSnapshots {
  /** True if a snapshot is one of them, or one published between these and the served one. */
  includes(id: string, served: string): boolean;
}

/** The changes made by imports; implemented by `changes/change-reader.ts`. Synchronous. */
export interface ChangeLog {
  /** Reads a page of the changes that led to a snapshot; null if its start no longer exists. */
  page(snapshot: string, request: PageRequest): ChangePage | null;
  /** Reads the newest changes of a provider that led to a snapshot, newest first, at most `most`. */
  history(snapshot: string, npi: string, most: number): PastChange[];
}
