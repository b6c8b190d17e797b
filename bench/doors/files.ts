/**
 * How long does making the files of a snapshot take, and how much memory? The floor: rendering all records with their
 * details as NDJSON, once; the files need them in two orders. Both in separate processes, in turns; the best time
 * and the least peak of each count. Then, how many ranges of 64 KB of `providers.parquet` does a worker send a second,
 * with the key checked? The floor: a bare `node:http` server that reads the same ranges of the same file.
 *
 *   node_modules/.bin/node bench/doors/files.ts [providers] [rounds]
 */
import { rmSync } from "node:fs";
import { Agent, get, type RequestOptions } from "node:http";
import { loadavg } from "node:os";
import { join } from "node:path";
import { ACCOUNTS_FILE } from "../../src/accounts/database/database.ts";
import { Directory } from "../../src/search/directory.ts";
import { matchedDocs } from "../../src/search/evaluate/matched-docs.ts";
import { rowFormat } from "../../src/search/render/row-formats.ts";
import { DetailsReader } from "../../src/snapshot/details/details-reader.ts";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { filesFolder } from "../../src/tables/kept-files.ts";
import { makeFiles } from "../../src/tables/make-files.ts";
import { docsInOrder } from "../../src/tables/orders.ts";
import { writeSyntheticRegistry } from "../../src/registry-generator/write-registry.ts";
import { makeKey, PLANS } from "../load/installation.ts";
import { ServerProcess } from "../load/server-process.ts";
import { importFile } from "../support/import-file.ts";
import { megabytes, run } from "../support/import-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const RANGE_BYTES = 65_536;
const CONNECTIONS = 16;
const ROUND_SECONDS = 3;
const FILE = "providers.parquet";
const BARE_RANGES = new URL("bare-ranges.ts", import.meta.url).pathname;

/** The best of a server's rounds, with its processor time for a range. */
interface Speed {
  readonly perSecond: number;
  readonly processorMicros: number;
}

const NONE: Speed = { perSecond: 0, processorMicros: Infinity };

/** What a process did with a snapshot. */
interface Work {
  readonly seconds: number;
  /** Of all its threads, on any core. */
  readonly processorSeconds: number;
  readonly peak: number;
  readonly bytes: number;
}

const [first = "1000000", second = "3", dataDir] = process.argv.slice(2);
if (dataDir === undefined) await bench(Number(first), Number(second));
else await work(first, dataDir);

async function bench(providers: number, rounds: number): Promise<void> {
  using folder = temporaryFolder("files-bench-");
  const out = join(folder.path, "full.zip");
  await writeSyntheticRegistry({ providers, out, otherFiles: true });
  const store = new SnapshotStore(join(folder.path, "data"));
  const { id } = await importFile(out, store);
  const files = filesFolder(store.dataDir, id);
  const best: Record<string, Work> = {};
  for (let round = 0; round < rounds; round++)
    for (const what of ["render", "make"]) {
      if (what === "make") rmSync(files, { recursive: true, force: true });
      const args = [import.meta.filename, what, "", store.dataDir];
      const done: Work = JSON.parse(run(process.execPath, args));
      const { bytes, peak, processorSeconds, seconds } = best[what] ?? done;
      best[what] = {
        bytes,
        seconds: Math.min(seconds, done.seconds),
        processorSeconds: Math.min(processorSeconds, done.processorSeconds),
        peak: Math.min(peak, done.peak),
      };
    }
  for (const [
    what,
    { bytes, peak, processorSeconds, seconds },
  ] of Object.entries(best))
    console.log(
      `${what.padEnd(8)} ${seconds.toFixed(1)} s, ${Math.round(providers / seconds).toLocaleString("en")} providers/s, processor ${processorSeconds.toFixed(1)} s, peak ${megabytes(peak)} MB, ${megabytes(bytes)} MB`,
    );
  await readRanges(store, id, join(files, FILE), rounds);
  console.log(
    `load ${loadavg()
      .map((each) => each.toFixed(1))
      .join(" ")}`,
  );
}

/** Does one of both in this process, and prints what it took. */
async function work(what: string, folder: string): Promise<void> {
  const store = new SnapshotStore(folder);
  const id = store.currentId() ?? "";
  const file = store.share(id);
  const detailsPath = store.detailsPathOf(id);
  const snapshot = new Snapshot(file);
  const begun = performance.now();
  let bytes = 0;
  if (what === "make") {
    const { count: providers } = snapshot;
    const about = { id, providers, dataDate: null, source: "" };
    const input = { file, detailsPath, dataDir: folder, createdBy: "bench" };
    const { signal } = new AbortController();
    const { data } = await makeFiles({ ...about, ...input }, signal);
    for (const each of data) bytes += each.bytes;
  } else {
    const reader = new DetailsReader(detailsPath);
    const { lookup } = new Directory(snapshot, reader);
    const docs = matchedDocs(docsInOrder(snapshot, "npi"));
    const parts = snapshot.metadata.details ?? [];
    const rows = lookup.rows(docs, rowFormat("ndjson"), parts);
    for (let slice = rows.next(); slice !== null; slice = rows.next())
      bytes += slice.length;
  }
  const seconds = (performance.now() - begun) / 1_000;
  const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage();
  const processorSeconds = (systemCPUTime + userCPUTime) / 1e6;
  const peak = maxRSS * 1_024;
  console.log(JSON.stringify({ seconds, processorSeconds, peak, bytes }));
}

async function readRanges(
  { dataDir: folder }: SnapshotStore,
  id: string,
  file: string,
  rounds: number,
): Promise<void> {
  const key = await makeKey({
    kind: "sqlite",
    file: join(folder, ACCOUNTS_FILE),
  });
  await using service = await ServerProcess.program(
    ["serve", "--data-dir", folder, "--port", "0", "--workers", "1"],
    { PLANS: JSON.stringify(PLANS), FILES: "on", PORTAL: "off" },
  );
  await using bare = await ServerProcess.script(BARE_RANGES, file);
  const path = `/v1/files/${id}/${FILE}`;
  const url = `${service.url}${path}`;
  const headers = { authorization: `Bearer ${key}` };
  const head = await fetch(url, { method: "HEAD", headers });
  const size = Number(head.headers.get("content-length"));
  const starts = Array.from({ length: 500 }, (_, turn) =>
    Math.floor(((turn * 0.618_034) % 1) * (size - RANGE_BYTES)),
  );
  const best = [NONE, NONE];
  for (let round = 0; round <= rounds; round++)
    for (const [index, server] of [service, bare].entries()) {
      const before = server.processorSeconds;
      const { answers, seconds } = await readFor(`${server.url}${path}`);
      const micros = ((server.processorSeconds - before) / answers) * 1e6;
      // The first round warms up.
      const { perSecond, processorMicros } = best[index]!;
      if (round > 0)
        best[index] = {
          perSecond: Math.max(perSecond, answers / seconds),
          processorMicros: Math.min(processorMicros, micros),
        };
    }
  const [ours = NONE, floor = NONE] = best;
  console.log(
    `ranges   ${described(ours)}, bare ${described(floor)}: ${(ours.perSecond / floor.perSecond).toFixed(2)} ×`,
  );

  /** Reads ranges over all connections, on each one after the other. */
  async function readFor(address: string) {
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const begun = performance.now();
    const ends = begun + ROUND_SECONDS * 1_000;
    let answers = 0;
    const connections = Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < ends) {
        const start = starts[answers++ % starts.length]!;
        const range = `bytes=${start}-${start + RANGE_BYTES - 1}`;
        await readRange(address, { agent, headers: { ...headers, range } });
      }
    });
    await Promise.all(connections);
    agent.destroy();
    return { answers, seconds: (performance.now() - begun) / 1_000 };
  }
}

function readRange(url: string, options: RequestOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, options, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => (bytes += chunk.length));
      response.on("end", () => {
        if (response.statusCode === 206 && bytes === RANGE_BYTES) resolve();
        else reject(new Error(`${response.statusCode}, ${bytes} bytes`));
      });
    }).on("error", reject);
  });
}

function described({ perSecond, processorMicros }: Speed): string {
  return `${Math.round(perSecond).toLocaleString("en")}/s (${Math.round(processorMicros)} µs)`;
}
