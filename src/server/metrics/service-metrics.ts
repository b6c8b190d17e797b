import { AccountTable } from "../../accounts/metering/account-table.ts";
import {
  withoutDatabase,
  type GateMemory,
} from "../../accounts/metering/gate-memory.ts";
import type { QuotaDesk } from "../../accounts/metering/quota-desk.ts";
import type { FlushState } from "../../accounts/metering/usage-flusher.ts";
import type { UnreadyReason } from "../../http/app-context.ts";
import type { UpdateStatus } from "../../update/update-status.ts";
import { AnswerSums } from "./request-metrics.ts";
import { graceLeftMs, UNREADY_REASONS } from "../readiness.ts";
import type { HistogramSample, Metric, Sample } from "./metrics-text.ts";
import type { SnapshotWatch } from "../snapshot-watch.ts";

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
  /** The time that known keys work without the database; null for SQLite. */
  readonly graceMs: number | null;
  /** The reason why load balancers should send no requests, apart from missing data. */
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

/** The help text of each metric, in the order of docs/metrics.md. */
const HELP = {
  answers_total: "Responses by operation and status.",
  answer_seconds:
    "Seconds to respond, without queueing and sending, by operation.",
  failures_total: "Error responses by error code.",
  keys_refused_total: "Requests refused because of their key, by reason.",
  accounts_database_up:
    "1 if the last write to the accounts database succeeded, else 0.",
  accounts_database_away_seconds:
    "Seconds since writes to the accounts database started to fail; 0 while they succeed.",
  accounts_database_grace_left_seconds:
    "Seconds that keys keep working without PostgreSQL.",
  without_database_total:
    "Requests while PostgreSQL was unavailable: let through from memory, or refused.",
  usage_unwritten: "Counted requests not yet written to the database.",
  usage_written_total: "Counted requests written to the database.",
  usage_flush_failures_total:
    "Failed attempts to write usage; they are retried.",
  usage_overflows_total:
    "Keys refused because memory has no space for another account.",
  fleet_nodes:
    "Nodes on the same database seen in the last 15 s, this one included.",
  prepaid_answers:
    "Requests that this node may still accept without asking the accounts database.",
  prepaid_answers_total: "Requests prepaid from monthly quotas.",
  prepaid_answers_returned_total: "Prepaid requests given back unused.",
  prepaid_statements_total:
    "Statements that prepay requests or give them back.",
  snapshot_info: "The served snapshot and the source of its data.",
  snapshot_providers: "Providers in the served snapshot; 0 without one.",
  snapshot_created_timestamp_seconds: "When the served snapshot was created.",
  snapshot_data_timestamp_seconds:
    "Last day that the data covers; absent for demo data.",
  snapshot_swaps_total: "Snapshots put into service, including the first.",
  snapshot_faults_total: "Snapshots that were damaged or could not be read.",
  snapshot_is_fallback:
    "1 while an older snapshot is served because the current one is damaged, else 0.",
  publication_behind_seconds:
    "Seconds since a publication was activated that this node does not serve, or since the store names one that it ignores; else 0.",
  update_last_outcome:
    "Outcome of the last scheduled update: 1 for that one, 0 for the rest.",
  update_last_finished_timestamp_seconds:
    "When the last scheduled update ended.",
  update_next_timestamp_seconds: "When the next scheduled update is due.",
  unready:
    "Why /readyz is 503: 1 for the reason, 0 for the rest; all 0 while it is 200.",
  build_info: "Versions of the program and of Node.",
  node_info: "The node's name.",
  workers: "Worker threads.",
  workers_replaced_total: "Worker threads that died and were replaced.",
  log_lines_lost_total: "Log lines lost because they could not be written.",
  process_resident_memory_bytes:
    "Resident memory of the process, including the snapshot.",
  process_cpu_seconds_total: "CPU time of the process.",
  process_start_time_seconds: "When the process started.",
};

/** One value, or one for each set of labels; null for none. */
type Value = number | null | readonly Sample[];

interface Values extends Record<
  Exclude<keyof typeof HELP, "answer_seconds">,
  Value
> {
  readonly answer_seconds: readonly HistogramSample[];
}

/** Returns all metrics of the service. The names of counters end in `_total`. */
export function serviceMetrics(state: ServiceState): Metric[] {
  const { answer_seconds: times, ...others } = valuesOf(state);
  const values: Readonly<Record<string, Value>> = others;
  return Object.entries(HELP).map(([name, help]) => {
    if (name === "answer_seconds")
      return { name, help, type: "histogram", samples: times };
    const value = values[name] ?? [];
    return {
      name,
      help,
      type: name.endsWith("_total") ? "counter" : "gauge",
      samples: typeof value === "number" ? [{ value }] : value,
    };
  });
}

function valuesOf(state: ServiceState): Values {
  const { behindMs, flush, gate, graceMs, nowMs, quota, update } = state;
  const { failingSinceMs } = flush;
  const { fromMemory, refused } = withoutDatabase(gate);
  const { faults, isFallback, opened, swaps } = state.watch;
  const { system, user } = process.cpuUsage();
  const sums = new AnswerSums(state.answers);
  const unready =
    opened !== null || state.unready === "shutting_down"
      ? state.unready
      : "data_not_loaded";
  return {
    answers_total: sums.answers().map(({ answered, count, status }) => ({
      labels: { operation: answered, status: String(status) },
      value: count,
    })),
    answer_seconds: sums.seconds(),
    failures_total: samplesBy("code", sums.failures()),
    keys_refused_total: samplesBy("reason", sums.keysRefused()),
    accounts_database_up: failingSinceMs === null ? 1 : 0,
    accounts_database_away_seconds:
      failingSinceMs === null ? 0 : (nowMs - failingSinceMs) / 1000,
    accounts_database_grace_left_seconds:
      graceMs === null ? null : graceLeftMs(flush, graceMs, nowMs) / 1000,
    without_database_total: samplesBy("outcome", [
      ["from_memory", fromMemory],
      ["refused", refused],
    ]),
    usage_unwritten: flush.unwritten,
    usage_written_total: flush.written,
    usage_flush_failures_total: flush.failures,
    usage_overflows_total: new AccountTable(gate).overflows,
    fleet_nodes: state.liveNodes,
    prepaid_answers: quota.left,
    prepaid_answers_total: quota.counts.prepaid,
    prepaid_answers_returned_total: quota.counts.givenBack,
    prepaid_statements_total: quota.counts.statements,
    snapshot_info: opened && info({ id: opened.id, source: opened.source }),
    snapshot_providers: opened?.providers ?? 0,
    snapshot_created_timestamp_seconds: secondsOf(opened?.createdAt),
    snapshot_data_timestamp_seconds: secondsOf(opened?.dataDate),
    snapshot_swaps_total: swaps,
    snapshot_faults_total: faults,
    snapshot_is_fallback: isFallback ? 1 : 0,
    publication_behind_seconds: behindMs === null ? null : behindMs / 1000,
    update_last_outcome:
      update?.lastOutcome == null
        ? null
        : oneOf("outcome", ["done", "failed", "stopped"], update.lastOutcome),
    update_last_finished_timestamp_seconds: secondsOf(update?.lastFinishedAt),
    update_next_timestamp_seconds: secondsOf(update?.nextAt),
    unready: oneOf("reason", ["data_not_loaded", ...UNREADY_REASONS], unready),
    build_info: info({ version: state.version, node: process.version }),
    node_info: info({ name: state.node }),
    workers: state.workers,
    workers_replaced_total: state.workersReplaced,
    log_lines_lost_total: state.logLinesLost,
    process_resident_memory_bytes: process.memoryUsage.rss(),
    process_cpu_seconds_total: (system + user) / 1_000_000,
    process_start_time_seconds: Math.round(nowMs / 1000 - process.uptime()),
  };
}

/** Makes one sample for each value of a label. */
function samplesBy(
  label: string,
  values: readonly (readonly [name: string, value: number])[],
): Sample[] {
  return values.map(([name, value]) => ({ labels: { [label]: name }, value }));
}

/** Makes samples that are 1 for one value of a label, and 0 for each other one. */
function oneOf(
  label: string,
  names: readonly string[],
  chosen: string | null,
): Sample[] {
  return samplesBy(
    label,
    names.map((name) => [name, name === chosen ? 1 : 0]),
  );
}

/** Makes a sample whose labels are what it says. */
function info(labels: Readonly<Record<string, string>>): Sample[] {
  return [{ labels, value: 1 }];
}

function secondsOf(time: string | null | undefined): number | null {
  return time == null ? null : Date.parse(time) / 1000;
}
