import type { FastifyBaseLogger, FastifyRequest } from "fastify";
import type { Attempts } from "../accounts/users/attempts.ts";
import type { Gate } from "../accounts/metering/gate.ts";
import type {
  ServiceSettings,
  PortalSettings,
} from "../settings/service-settings.ts";
import type { ChangePage, PageRequest } from "../changes/change-reader.ts";
import type { Billing } from "../billing/billing.ts";
import type { Directory } from "../search/directory.ts";
import type { IpRateLimiter } from "./limits/ip-rate-limiter.ts";
import type { BuiltSite } from "./pages/built-site.ts";
import type { AnswerCounts } from "./pipeline/answer-counts.ts";
import type { AuthService } from "../auth/auth.ts";
import type { AnswerLog } from "./pipeline/request-log.ts";
import type { ServiceAddress } from "./pipeline/failure.ts";

/** What the HTTP app stands on. Nothing else reaches it: no environment, no clock, no randomness of its own. */
export interface AppContext extends ServiceAddress {
  readonly settings: ServiceSettings;
  readonly data: DataHolder;
  readonly changes: ChangeLog;
  /** When new data are looked for next, ISO 8601; null without a schedule. */
  readonly nextUpdate: () => string | null;
  readonly gate: Gate;
  /** Of the installation (`installationSecret`); entity tags are made with it. */
  readonly tagSecret: Uint8Array;
  /** Now, in epoch milliseconds. */
  readonly now: () => number;
  /** A fresh request id, of the shape that `REQUEST_ID` accepts. */
  readonly makeRequestId: () => string;
  /** A pino logger, or null for silence. */
  readonly logger: FastifyBaseLogger | null;
  /** Takes the facts of each answer, or null when nobody wants them. */
  readonly answerLog: AnswerLog | null;
  /** Counts each answer, or null when nobody watches. */
  readonly answerCounts: AnswerCounts | null;
  /** Whether the process is about to end, so that nobody should send it more. */
  readonly isLeaving: () => boolean;
  /** Whether what is used is written to the accounts' database, rather than kept in memory until it can be. */
  readonly isUseWritten: () => boolean;
  /** What the billing routes need; null if no plan is sold, and then the routes do not exist. */
  readonly billing: BillingDependencies | null;
  /** Sign-up and sign-in; null if they are off. */
  readonly auth: LazyAuth | null;
  /** The pages for people, and what they ask; null where they are switched off. */
  readonly portal: PortalDependencies | null;
}

/** What the portal needs. */
export interface PortalDependencies {
  readonly settings: PortalSettings;
  /** The built pages; null where they could not be built. */
  readonly site: BuiltSite | null;
  readonly ipRateLimiter: IpRateLimiter;
}

export interface BillingDependencies {
  readonly billing: Billing;
  readonly findOwner: FindOwner;
  /** Counts what people do. */
  readonly attempts: Pick<Attempts, "take">;
  /** As in the settings; Stripe sends people back there. */
  readonly publicUrl: string;
}

/** Finds the account whose owner sends a request; null if no user is signed in. Rejects if the database is away. */
export type FindOwner = (
  request: FastifyRequest,
) => Promise<AccountOwner | null>;

/** The account of a signed-in user. */
export interface AccountOwner {
  /** Of the account in the accounts' database. */
  readonly accountId: number;
  readonly email: string;
}

/** Sign-up and sign-in, opened on first use. */
export interface LazyAuth {
  /** Rejects when the accounts' database cannot be reached; then the next one tries again. */
  open(): Promise<AuthService>;
  /** The service's public URL, without a trailing slash; known once it listens. */
  url(): string;
  /** Whose pages may change something, as `Origin` has them. */
  origins(): readonly string[];
}

/** Holds the snapshot that is served; it may be swapped while the app runs, and null is "none yet". */
export interface DataHolder {
  readonly current: Directory | null;
}

/** What imports changed: what `changes/change-reader.ts` implements. Synchronous. */
export interface ChangeLog {
  /** A page of the changes that led to a snapshot; null where the place to begin at is gone. */
  page(snapshot: string, request: PageRequest): ChangePage | null;
}
