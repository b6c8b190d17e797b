import { TIMED, type NodesReport, type NodesTotal } from "./orders.ts";
import type { ServerWork, StatementKind } from "./server-statistics.ts";

export interface SimulationResult {
  readonly title: string;
  readonly seconds: number;
  readonly work: ServerWork;
  readonly reports: readonly NodesReport[];
  readonly totals: readonly NodesTotal[];
  /** How long it took to write all usage and to give back what was prepaid. */
  readonly stopSeconds: number;
  /** The answers that the database has at the end. */
  readonly counted: number;
}

const KINDS: readonly StatementKind[] = ["key", ...TIMED];

/** Prints a run of the simulation. */
export function printSimulation({
  counted,
  reports,
  seconds,
  stopSeconds,
  title,
  totals,
  work,
}: SimulationResult): void {
  const answers = sumOf(reports, (report) => report.answers);
  const calls = sumOf([...work.statements.values()], (sum) => sum.calls);
  say(`\n${title}: ${rate(answers)} answers a second`);
  say(
    `  PostgreSQL: ${rate(calls)} statements a second, ${(answers / calls).toFixed(1)} answers a statement; ` +
      `${rate(work.rowsWritten)} rows written a second, ${percent(work.hotUpdates, work.updates)} of updates without an index; ` +
      `${(work.processorSeconds / seconds).toFixed(2)} cores, ${((work.processorSeconds / answers) * 1e6).toFixed(0)} µs an answer; ` +
      `log ${(work.logBytes / seconds / 1e6).toFixed(2)} MB a second`,
  );
  const nodeSeconds = sumOf(reports, (report) => report.processorSeconds);
  const delays = reports.map(
    ({ loopDelay: { p50, p99 } }) => `${p50.toFixed(1)}/${p99.toFixed(1)}`,
  );
  say(
    `  nodes: ${(nodeSeconds / seconds).toFixed(2)} cores; timers late by p50/p99 ${delays.join(", ")} ms`,
  );
  for (const [name, rows] of work.scanned)
    say(`  whole table read: ${name}, ${rate(rows)} rows a second`);
  say(
    `  ${"statement".padEnd(10)} ${["a second", "rows each", "plan µs", "run µs", "log bytes", "p50 ms", "p99 ms"].map((head) => head.padStart(9)).join(" ")}`,
  );
  for (const kind of KINDS) {
    const sum = work.statements.get(kind);
    if (sum === undefined) continue;
    const times =
      kind === "key" || kind === "other"
        ? []
        : reports.flatMap((report) => report.times[kind]);
    const cells = [
      (sum.calls / seconds).toFixed(1),
      (sum.rows / sum.calls).toFixed(1),
      ((sum.planMs / sum.calls) * 1000).toFixed(0),
      ((sum.executeMs / sum.calls) * 1000).toFixed(0),
      (sum.logBytes / sum.calls).toFixed(0),
      ...quantiles(times),
    ];
    say(
      `  ${kind.padEnd(10)} ${cells.map((cell) => cell.padStart(9)).join(" ")}`,
    );
  }
  const waits = reports.flatMap((report) => report.quotaWaits);
  const [p50, p99] = quantiles(waits);
  say(
    `  ${percent(waits.length, answers)} of requests waited for prepaid quota: p50 ${p50} ms, p99 ${p99} ms`,
  );
  const unsent = sumOf(reports, (report) => report.unsent);
  const refused = reports.map((report) => JSON.stringify(report.refused));
  say(`  not sent: ${unsent}; refused: ${refused.join(" ")}`);
  const answered = sumOf(totals, (total) => total.answers);
  const failed = sumOf(totals, (total) => total.failedFlushes);
  say(
    `  at the end: ${answered} answered, ${counted} counted; ` +
      `${failed} failed flushes; all nodes stopped in ${stopSeconds.toFixed(1)} s`,
  );

  function rate(count: number): string {
    return Math.round(count / seconds).toLocaleString("en");
  }
}

function quantiles(times: readonly number[]): [p50: string, p99: string] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.floor(sorted.length * share)]?.toFixed(1) ?? "–";
  return [at(0.5), at(0.99)];
}

function percent(part: number, whole: number): string {
  return `${((part / Math.max(whole, 1)) * 100).toFixed(1)} %`;
}

function sumOf<Each>(
  all: readonly Each[],
  value: (each: Each) => number,
): number {
  return all.reduce((sum, each) => sum + value(each), 0);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
