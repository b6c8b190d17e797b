/** `bench/RESULTS.md`: what is measured and how, and a section for each size of the registry. */

import { markdownTable } from "./markdown-table.ts";
import { TIME_LIMIT_MS } from "./systems/system.ts";

/** One run, with the systems in one order everywhere, ours first. */
export interface Results {
  providers: number;
  date: Date;
  /** Processor, memory, operating system, runtime. */
  machine: string;
  /** How long it takes to read the rows of the zip and fold their texts, without storing anything. */
  readSeconds: number;
  systems: SystemResult[];
  classes: { title: string; questions: number }[];
}

export interface SystemResult {
  /** With its version. */
  name: string;
  loadSeconds: number;
  bytesOnDisk: number;
  bytesOfMemory: number;
  /** Milliseconds of each question, for each class. */
  times: number[][];
}

const INTRODUCTION = `# Comparison with databases

The same invented providers and the same queries in this project's engine and in three databases. Each database has the
tables, indexes, settings, and statements that an expert in it would choose (\`bench/peers/\`). This page is written by

\`\`\`sh
node_modules/.bin/node bench/peers/run.ts [providers]
\`\`\`

## What is measured

- **Load**: from the registry's zip to the first query, with rows, order, indexes, and statistics. The peers get their
  rows from this project's reader, with compared texts folded; the time for that is listed separately.
- **Disk**: the peers store only what a record shows and what is compared.
- **Memory**: after all queries and a garbage collection. For PostgreSQL, all processes of the server with its buffers,
  without the client. For the rest, their process, with Node (about 60 MB) and the mapped parts of files.
- **Queries**: one client sends one query at a time, each a different one, after a warm-up with other queries. The data
  is in memory. The time includes folding the texts, and ends when the client has the exact total and a page of 25
  entries as objects (look-up: the record; nearby: only the page, as in the API; last pages: 100 entries).
- **Limits**: each system gets two seconds per class, or five queries if those take longer. If that isn't enough for all
  queries, the number of queries is in parentheses; the 99th percentile of few queries is the longest. A query that
  takes more than ${TIME_LIMIT_MS / 1000} s is stopped and counted as that.
- **Peer ÷ ours**: the median of the fastest peer divided by ours.

A run fails if a total, a provider, or its position differs between two systems.

## The peers

All peers store rows in page order with their position as a number, folded texts in separate columns, and ZIP centroids
in a table. They search nearby in circles that grow until a page is full.

- **PostgreSQL**: covering btree indexes, a GIN index of trigrams (pg_trgm) over a narrow table of names, a quarter of
  the memory as shared buffers, parallel scans on all cores, \`VACUUM ANALYZE\`.
- **SQLite**: covering indexes, an FTS5 index of trigrams over a narrow table of names, a quarter of the memory as
  cache, files mapped as far as SQLite allows (2 GB), \`ANALYZE\`.
- **DuckDB**: zone maps over the page order, an index on the NPI, all cores.

## What to keep in mind

- Ours, SQLite, and DuckDB run in the client's process. PostgreSQL is queried over a Unix socket, which costs about 50
  µs per statement. It would be so in a service too, with its driver's work added.
- The peers are databases: they support writes, transactions, and any query. Ours is one file for these queries, and
  every change builds a new one.
- Names are matched anywhere in a word. The peers' trigram indexes don't help with fewer than three letters, so those
  queries read every name. DuckDB has no index for parts of words and always reads every name.
- DuckDB is made for queries over many rows. Most of these are over few.
`;

/**
 * The page with the section of a run in the place of an older one of the same size; `page` is null if there is none.
 */
export function withResults(page: string | null, results: Results): string {
  const heading = headingOf(results.providers);
  const others = (page ?? "")
    .split(/^(?=## )/m)
    .filter((part) => sizeOf(part) !== null && !part.startsWith(heading));
  const sections = [...others, `${heading}\n\n${sectionOf(results)}\n`].sort(
    (a, b) => (sizeOf(a) ?? 0) - (sizeOf(b) ?? 0),
  );
  return [INTRODUCTION, ...sections.map((part) => `${part.trimEnd()}\n`)].join(
    "\n",
  );
}

function headingOf(providers: number): string {
  return `## ${providers.toLocaleString("en-US")} providers`;
}

/** The number of providers in a section's heading; null for other parts of the page. */
function sizeOf(part: string): number | null {
  const size = /^## ([\d,]+) providers\n/.exec(part)?.[1];
  return size === undefined ? null : Number(size.replaceAll(",", ""));
}

function sectionOf(results: Results): string {
  const { systems, classes, date, machine, readSeconds } = results;
  const heading = ["", ...systems.map(({ name }) => name)];
  const row = (
    label: string,
    value: (system: SystemResult) => string,
  ): string[] => [label, ...systems.map(value)];
  return [
    `${date.toISOString().slice(0, 10)}, ${machine}.`,
    `Each peer's load includes ${readSeconds.toFixed(0)} s for reading the rows and folding their texts.`,
    markdownTable(heading, [
      row("load", ({ loadSeconds }) => `${loadSeconds.toFixed(0)} s`),
      row("disk", ({ bytesOnDisk }) => megabytes(bytesOnDisk)),
      row("memory", ({ bytesOfMemory }) => megabytes(bytesOfMemory)),
    ]),
    "Median and 99th percentile per class of queries:",
    markdownTable(
      [...heading, "peer ÷ ours"],
      classes.map(({ title, questions }, index) =>
        row(title, ({ times }) =>
          timesOf(times[index] ?? [], questions),
        ).concat(
          ratioOf(
            systems.map(({ times }) => quantile(times[index] ?? [], 0.5)),
          ),
        ),
      ),
    ),
  ].join("\n\n");
}

function timesOf(times: readonly number[], questions: number): string {
  const both = [0.5, 0.99].map((share) => duration(quantile(times, share)));
  const asked = times.length < questions ? ` (${times.length})` : "";
  return both.join(" / ") + asked;
}

function ratioOf([ours = 0, ...peers]: readonly number[]): string {
  const ratio = Math.min(...peers) / ours;
  return ratio < 9.95 ? ratio.toFixed(1) : ratio.toFixed(0);
}

/** The least of the values that at least this share of them does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** Two figures, or three for hundreds: `7.4 µs`, `310 µs`, `12 ms`, `1.3 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds >= TIME_LIMIT_MS) return `> ${TIME_LIMIT_MS / 1000} s`;
  if (milliseconds >= 999.5) return `${figures(milliseconds / 1000)} s`;
  if (milliseconds >= 0.9995) return `${figures(milliseconds)} ms`;
  return `${figures(milliseconds * 1000)} µs`;
}

function figures(value: number): string {
  return value < 9.95 ? value.toFixed(1) : value.toFixed(0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
