import type { UpdatedColumn } from "../../snapshot/postings/updated-days.ts";
import type { IpRateLimiterMemory } from "../../http/limits/ip-rate-limiter.ts";
import type { ServiceSettings } from "../../settings/service-settings.ts";

/** What a worker thread is given when it starts: the settings, and what the supervisor made of them. */
export interface WorkerSetup {
  readonly settings: ServiceSettings;
  /** Its name in the log. */
  readonly name: string;
  /** What `host` resolved to. */
  readonly address: string;
  /** By what name the workers meet to tell each other what they read of keys (`KeyExchange`). */
  readonly keyChannel: string;
  /** Entity tags are made with it. */
  readonly tagSecret: Uint8Array;
  /** The memory in which all workers count (`createUsageBuffer`). */
  readonly usage: SharedArrayBuffer;
  /** The memory in which all workers count the explorer's requests. */
  readonly ipRateLimiter: IpRateLimiterMemory;
  /** The memory in which this worker counts its answers (`createAnswerMemory`), null without metrics. */
  readonly answers: SharedArrayBuffer | null;
}

/** A snapshot as a worker gets it. */
export interface SnapshotToServe {
  readonly bytes: SharedArrayBuffer;
  /** Where its file of details is, if it has one. */
  readonly detailsPath: string;
  /** In shared memory too; read meanwhile. */
  readonly updated: UpdatedColumn;
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
  /** A line for the terminal. */
  | { readonly kind: "notice"; readonly line: string }
  /** The app is ready; nothing is listened on yet. */
  | { readonly kind: "started" }
  /** The answer to "open" or "listen", in the order in which they were sent. */
  | { readonly kind: "answer"; readonly answer: OpenOutcome | ListenOutcome };

export type OpenOutcome =
  | { readonly outcome: "opened" }
  /** The snapshot could not be opened; what was served before still is. */
  | { readonly outcome: "unopened"; readonly message: string };

export type ListenOutcome =
  | { readonly outcome: "listening"; readonly port: number }
  /** The address cannot be listened on; `code` is the system's. */
  | {
      readonly outcome: "deaf";
      readonly code: string;
      readonly message: string;
    };
