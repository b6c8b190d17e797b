import type { GateMemory } from "../../accounts/metering/gate-memory.ts";
import type { FileDaysMemory } from "../../http/access/file-days.ts";
import type { SharedFile } from "../../snapshot/container/shared-file.ts";
import type { UpdatedColumn } from "../../snapshot/postings/updated-days.ts";
import type { IpRateLimiterMemory } from "../../http/limits/ip-rate-limiter.ts";
import type { TelemetrySource } from "../telemetry/collector.ts";
import type { ServiceSettings } from "../../settings/service-settings.ts";

/** The data that a worker thread gets at startup: the settings, and what the supervisor made from them. */
export interface WorkerSetup {
  readonly settings: ServiceSettings;
  /** The process that it is a thread of, in traces. */
  readonly source: TelemetrySource;
  /** Its name in the log. */
  readonly name: string;
  /** The address that `host` resolved to. */
  readonly address: string;
  /** Signs entity tags. */
  readonly tagSecret: Uint8Array;
  /** The memory of keys and counts, shared by all workers (`createGateMemory`). */
  readonly gate: GateMemory;
  /** The memory in which the supervisor says whether this node should get requests (`createReadinessMemory`). */
  readonly readiness: SharedArrayBuffer;
  /** The memory in which it says which snapshots will be served (`createExpectedMemory`). */
  readonly expected: SharedArrayBuffer;
  /** The table in which all workers count explorer requests. */
  readonly ipRateLimiter: IpRateLimiterMemory;
  /** The memory in which all workers count the workbooks that are made (`createWorkbookMemory`). */
  readonly workbooks: SharedArrayBuffer;
  /** The table in which all workers count requests to the registry's API without a key. */
  readonly registryVisitors: IpRateLimiterMemory;
  /** The memory in which all workers note which files accounts have taken today (`createFileDaysMemory`); null without files. */
  readonly fileDays: FileDaysMemory | null;
  /** This worker's answer counts (`createAnswerMemory`); null without metrics. */
  readonly answers: SharedArrayBuffer | null;
}

/** A snapshot as a worker gets it. */
export interface SnapshotToServe {
  readonly file: SharedFile;
  /** The path of its details file, if it has one. */
  readonly detailsPath: string;
  /** Also in shared memory; still being read. */
  readonly updated: UpdatedColumn;
}

/** From the supervisor to a worker. */
export type ToWorker =
  /** Answer from this snapshot from now on; `keepsCurrent` for requests that insist on the one before. */
  | {
      readonly kind: "open";
      readonly snapshot: SnapshotToServe;
      readonly keepsCurrent: boolean;
    }
  /** Close the snapshot that was kept. */
  | { readonly kind: "release_previous" }
  /** Answer that no data is loaded. */
  | { readonly kind: "close" }
  | {
      readonly kind: "listen";
      readonly port: number;
      readonly reusePort: boolean;
    }
  /** Accept no more connections, finish running requests, and end. */
  | { readonly kind: "drain"; readonly withinMs: number };

/** From a worker to the supervisor. */
export type FromWorker =
  /** Whole lines for the log of the process. */
  | { readonly kind: "log"; readonly lines: string }
  /** A line for the terminal. */
  | { readonly kind: "notice"; readonly line: string }
  /** The app is ready but not yet listening. */
  | { readonly kind: "started" }
  /** The answer to each message but "drain", in the order in which they were sent. */
  | { readonly kind: "answer"; readonly answer: Answers[keyof Answers] };

/** The answers of a worker. */
export interface Answers {
  /** The reason why the snapshot could not be opened, so that the old one is still served; null if it is opened. */
  readonly open: string | null;
  /** Sent once the memory of the snapshot that was kept is given back. */
  readonly release_previous: null;
  readonly close: null;
  readonly listen: ListenOutcome;
}

export type ListenOutcome =
  | { readonly outcome: "listening"; readonly port: number }
  /** Cannot listen; `code` is the system's error code. */
  | {
      readonly outcome: "not_listening";
      readonly code: string;
      readonly message: string;
    };
