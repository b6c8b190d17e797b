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

const INTRODUCTION = `# Side by side

The same invented providers and the same questions in this project's engine and in three databases, each with the tables,
indexes, settings and statements that those who know it well would choose (\`bench/peers/\`). Written by

\`\`\`sh
node_modules/.bin/node bench/peers/run.ts [providers]
\`\`\`

## What is measured

- **Load**: from the registry's zip to the first question: rows, order, indexes, statistics. The peers get their rows from
  this project's reader, the compared texts folded; how long that takes by itself stands beside it.
- **Disk**: the peers hold what a record shows and what is compared, and nothing else.
- **Memory**: after all questions, garbage collected. Of PostgreSQL what all processes of the server hold, its buffers
  included and the client not; of the others what their process holds, with Node (some 60 MB) and the mapped parts of files.
- **Questions**: one client, one question at a time, all of them different, after a warm-up with others; the data are in
  memory. A question ends when the client holds the exact total and the page of 25 entries as objects (a look-up: the
  record; nearby: the page alone, as in the API; the last pages: 100 entries). Texts are folded within the time.
- A system gets two seconds for a class, or five questions where those take longer; where that is not enough for all, the
  number that it was asked stands in brackets, and the 99th percentile of few is the longest. A question of more than
  ${TIME_LIMIT_MS / 1000} s is given up and counted as that.
- **Peer ÷ ours**: the median of the fastest peer over ours.

The answers are compared: a run in which a total, a provider or its place differs between two systems fails.

## The peers

All of them hold the rows in the order of pages, with their place in it as a number, folded texts in columns of their own,
and ZIP centroids in a table. Nearby is asked in circles that grow until a page is full.

- **PostgreSQL**: covering btree indexes, a GIN index of trigrams (pg_trgm) over a narrow table of names, a quarter of the
  memory as shared buffers, parallel scans on all cores, \`VACUUM ANALYZE\`.
- **SQLite**: covering indexes, an FTS5 index of trigrams over a narrow table of names, a quarter of the memory as cache,
  files mapped as far as SQLite allows (2 GB), \`ANALYZE\`.
- **DuckDB**: zone maps over the order of pages, an index on the NPI, all cores.

## What to keep in mind

- Ours, SQLite and DuckDB run in the process that asks. PostgreSQL is asked over a Unix socket, which costs some 50 µs a
  statement; in a service it would be so, and its driver's work would be there too.
- The peers are databases: they take writes, transactions and questions that nobody foresaw. Ours is one file for these
  questions, built anew for each change.
- Names are found anywhere in a word. The peers' trigram indexes do not help with less than three letters, so these
  questions read every name; DuckDB has no index for parts of words and always does.
- DuckDB is made for questions over many rows; most of these are over few.
`;

/** The page with the section of a run in the place of an older one of the same size; `page` is null where there is none. */
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
    `Reading the rows and folding their texts takes ${readSeconds.toFixed(0)} s by itself, of each peer's load.`,
    markdownTable(heading, [
      row("load", ({ loadSeconds }) => `${loadSeconds.toFixed(0)} s`),
      row("disk", ({ bytesOnDisk }) => megabytes(bytesOnDisk)),
      row("memory", ({ bytesOfMemory }) => megabytes(bytesOfMemory)),
    ]),
    "The median and the 99th percentile of each class of questions:",
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

/** Two figures, or three where there are hundreds: `7.4 µs`, `310 µs`, `12 ms`, `1.3 s`. */
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
