import { AccountTable } from "../../accounts/metering/account-table.ts";
import {
  withoutDatabase,
  type GateMemory,
} from "../../accounts/metering/gate-memory.ts";
import type { QuotaDesk } from "../../accounts/metering/quota-desk.ts";
import type { FlushState } from "../../accounts/metering/usage-flusher.ts";
import type { UnreadyReason } from "../../http/app-context.ts";
import type { UpdateStatus } from "../../update/update-status.ts";
import {
  AnswerSums,
  TIME_BOUNDS_MS,
  type AnswerTimes,
} from "./request-metrics.ts";
import { graceLeftMs, UNREADY_REASONS } from "../readiness.ts";
import {
  single,
  type HistogramSample,
  type Metric,
  type Sample,
} from "./metrics-text.ts";
import type { OpenedSnapshot, SnapshotWatch } from "../snapshot-watch.ts";

/** The state of the service at one moment. */
export interface ServiceState {
  readonly version: string;
  /** The node's name. */
  readonly node: string;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** The number of threads, and of those that replaced a dead one. */
  readonly workers: number;
  readonly workersReplaced: number;
  /** Each thread's counts (`createAnswerMemory`). */
  readonly answers: readonly SharedArrayBuffer[];
  /** The memory of keys and counts that the workers share (`createGateMemory`). */
  readonly gate: GateMemory;
  readonly flush: FlushState;
  readonly quota: Pick<QuotaDesk, "counts" | "left">;
  /** Live nodes of the fleet; null for SQLite. */
  readonly liveNodes: number | null;
  /** How long known keys work without the database; null for SQLite. */
  readonly graceMs: number | null;
  /** Why load balancers should send no requests, apart from missing data. */
  readonly unready: UnreadyReason | null;
  readonly watch: Pick<
    SnapshotWatch,
    "opened" | "isFallback" | "swaps" | "faults"
  >;
  /** For how long another snapshot than the published one is served, in milliseconds; null if nothing is published. */
  readonly behindMs: number | null;
  /** Null if there never was a schedule. */
  readonly update: UpdateStatus | null;
  readonly logLinesLost: number;
}

/** All metrics of the service, in the order of docs/operating.md. */
export function serviceMetrics(state: ServiceState): Metric[] {
  return [
    ...ofAnswers(new AnswerSums(state.answers)),
    ...ofDatabase(state),
    ...ofUsage(state),
    ...ofQuota(state),
    ...ofSnapshot(state),
    ...ofUpdate(state.update),
    ofReadiness(state),
    ...ofProcess(state),
  ];
}

function ofAnswers(sums: AnswerSums): Metric[] {
  return [
    {
      name: "answers_total",
      type: "counter",
      help: "Responses by operation and status.",
      samples: sums.answers().map(({ answered, count, status }) => ({
        labels: { operation: answered, status: String(status) },
        value: count,
      })),
    },
    {
      name: "answer_seconds",
      type: "histogram",
      help: "Seconds to respond, without queueing and sending, by operation.",
      samples: sums.times().map(histogram),
    },
    {
      name: "failures_total",
      type: "counter",
      help: "Error responses by error code.",
      samples: sums.failures().map(({ code, count }) => ({
        labels: { code },
        value: count,
      })),
    },
    {
      name: "keys_refused_total",
      type: "counter",
      help: "Requests refused because of their key, by reason.",
      samples: sums.keysRefused().map(({ count, reason }) => ({
        labels: { reason },
        value: count,
      })),
    },
  ];
}

function histogram({ answered, counts, sumMs }: AnswerTimes): HistogramSample {
  return {
    labels: { operation: answered },
    bounds: TIME_BOUNDS_MS.map((bound) => bound / 1000),
    counts,
    sum: sumMs / 1000,
  };
}

function ofDatabase({ flush, gate, graceMs, nowMs }: ServiceState): Metric[] {
  const { failingSinceMs } = flush;
  const isUp = failingSinceMs === null;
  const { fromMemory, refused } = withoutDatabase(gate);
  return [
    single(
      "gauge",
      "accounts_database_up",
      isUp ? 1 : 0,
      "Whether the last write to the accounts database succeeded.",
    ),
    single(
      "gauge",
      "accounts_database_away_seconds",
      isUp ? 0 : (nowMs - failingSinceMs) / 1000,
      "Seconds since writes to the accounts database started to fail; 0 while they succeed.",
    ),
    single(
      "gauge",
      "accounts_database_grace_left_seconds",
      graceMs === null ? null : graceLeftMs(flush, graceMs, nowMs) / 1000,
      "Seconds that keys keep working without PostgreSQL.",
    ),
    {
      name: "without_database_total",
      type: "counter",
      help: "Requests while PostgreSQL was unavailable: let through from memory, or refused.",
      samples: [
        { labels: { outcome: "from_memory" }, value: fromMemory },
        { labels: { outcome: "refused" }, value: refused },
      ],
    },
  ];
}

function ofUsage({ flush, gate }: ServiceState): Metric[] {
  return [
    single(
      "gauge",
      "usage_unwritten",
      flush.unwritten,
      "Counted requests not yet written to the database.",
    ),
    single(
      "counter",
      "usage_written_total",
      flush.written,
      "Counted requests written to the database.",
    ),
    single(
      "counter",
      "usage_flush_failures_total",
      flush.failures,
      "Failed attempts to write usage; they are retried.",
    ),
    single(
      "counter",
      "usage_overflows_total",
      new AccountTable(gate).overflows,
      "Keys refused because memory has no space for another account.",
    ),
  ];
}

function ofQuota({ liveNodes, quota }: ServiceState): Metric[] {
  const { givenBack, prepaid, statements } = quota.counts;
  return [
    single(
      "gauge",
      "fleet_nodes",
      liveNodes,
      "Nodes on the same database seen in the last 15 s, this one included.",
    ),
    single(
      "gauge",
      "prepaid_answers",
      quota.left,
      "Requests that this node may still accept without asking the accounts database.",
    ),
    single(
      "counter",
      "prepaid_answers_total",
      prepaid,
      "Requests prepaid from monthly quotas.",
    ),
    single(
      "counter",
      "prepaid_answers_returned_total",
      givenBack,
      "Prepaid requests given back unused.",
    ),
    single(
      "counter",
      "prepaid_statements_total",
      statements,
      "Statements that prepay requests or give them back.",
    ),
  ];
}

function ofSnapshot({ behindMs, watch }: ServiceState): Metric[] {
  const { faults, isFallback, opened, swaps } = watch;
  return [
    {
      name: "snapshot_info",
      type: "gauge",
      help: "The served snapshot and the source of its data.",
      samples: opened === null ? [] : [identityOf(opened)],
    },
    single(
      "gauge",
      "snapshot_providers",
      opened?.providers ?? 0,
      "Providers in the served snapshot; 0 without one.",
    ),
    single(
      "gauge",
      "snapshot_created_timestamp_seconds",
      secondsOf(opened?.createdAt ?? null),
      "When the served snapshot was created.",
    ),
    single(
      "gauge",
      "snapshot_data_timestamp_seconds",
      secondsOf(opened?.dataDate ?? null),
      "Last day that the data covers; absent for demo data.",
    ),
    single(
      "counter",
      "snapshot_swaps_total",
      swaps,
      "Snapshots put into service, including the first.",
    ),
    single(
      "counter",
      "snapshot_faults_total",
      faults,
      "Snapshots that were damaged or could not be read.",
    ),
    single(
      "gauge",
      "snapshot_is_fallback",
      isFallback ? 1 : 0,
      "Whether an older snapshot is served because the current one is damaged.",
    ),
    single(
      "gauge",
      "publication_behind_seconds",
      behindMs === null ? null : behindMs / 1000,
      "Seconds since a publication was activated that this node does not serve, or since the store names one that it ignores; else 0.",
    ),
  ];
}

function identityOf({ id, source }: OpenedSnapshot): Sample {
  return { labels: { id, source }, value: 1 };
}

function ofUpdate(update: UpdateStatus | null): Metric[] {
  const outcomes = ["done", "failed", "stopped"] as const;
  return [
    {
      name: "update_last_outcome",
      type: "gauge",
      help: "Outcome of the last scheduled update: 1 for that one, 0 for the rest.",
      samples:
        update?.lastOutcome == null
          ? []
          : outcomes.map((outcome) => ({
              labels: { outcome },
              value: outcome === update.lastOutcome ? 1 : 0,
            })),
    },
    single(
      "gauge",
      "update_last_finished_timestamp_seconds",
      secondsOf(update?.lastFinishedAt ?? null),
      "When the last scheduled update ended.",
    ),
    single(
      "gauge",
      "update_next_timestamp_seconds",
      secondsOf(update?.nextAt ?? null),
      "When the next scheduled update is due.",
    ),
  ];
}

function ofReadiness({ unready, watch }: ServiceState): Metric {
  const isLoaded = watch.opened !== null;
  const why =
    isLoaded || unready === "shutting_down" ? unready : "data_not_loaded";
  return {
    name: "unready",
    type: "gauge",
    help: "Why /readyz is 503: 1 for the reason, 0 for the rest; all 0 while it is 200.",
    samples: ["data_not_loaded", ...UNREADY_REASONS].map((reason) => ({
      labels: { reason },
      value: reason === why ? 1 : 0,
    })),
  };
}

function ofProcess(state: ServiceState): Metric[] {
  const { system, user } = process.cpuUsage();
  return [
    {
      name: "build_info",
      type: "gauge",
      help: "Versions of the program and of Node.",
      samples: [
        {
          labels: { version: state.version, node: process.version },
          value: 1,
        },
      ],
    },
    {
      name: "node_info",
      type: "gauge",
      help: "The node's name.",
      samples: [{ labels: { name: state.node }, value: 1 }],
    },
    single("gauge", "workers", state.workers, "Worker threads."),
    single(
      "counter",
      "workers_replaced_total",
      state.workersReplaced,
      "Worker threads that died and were replaced.",
    ),
    single(
      "counter",
      "log_lines_lost_total",
      state.logLinesLost,
      "Log lines lost because they could not be written.",
    ),
    single(
      "gauge",
      "process_resident_memory_bytes",
      process.memoryUsage.rss(),
      "Resident memory of the process, including the snapshot.",
    ),
    single(
      "counter",
      "process_cpu_seconds_total",
      (system + user) / 1_000_000,
      "CPU time of the process.",
    ),
    single(
      "gauge",
      "process_start_time_seconds",
      Math.round(state.nowMs / 1000 - process.uptime()),
      "When the process started.",
    ),
  ];
}

function secondsOf(time: string | null): number | null {
  return time === null ? null : Date.parse(time) / 1000;
}
