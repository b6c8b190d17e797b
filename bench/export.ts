/**
 * How many records a second does one worker send as an export, and how long do look-ups of others take meanwhile?
 *
 * The floor of the first: a bare `node:http` server that streams the same bytes from memory to the same client. Rounds
 * alternate and the best of each side counts; the processor time per record of the whole process is printed too. For
 * the second, look-ups are sent with and without four exports in turns: by as many connections as are named, each of
 * which sends the next look-up once the last is answered. Server and clients share the machine, so on two cores the
 * clients wait for each other too.
 *
 *   node bench/export.ts [data folder] [rounds] [filters]
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fire } from "./load/cannon.ts";
import { expectAnswers } from "./load/expected-answers.ts";
import { readExports, type ReaderOrder } from "./load/export-readers.ts";
import { installOver } from "./load/installation.ts";
import { drawQuestions } from "./load/questions.ts";
import { ServerProcess } from "./load/server-process.ts";

const BARE_STREAM = fileURLToPath(
  new URL("./load/bare-stream.ts", import.meta.url),
);
const EXPORTS = 4;
const CONNECTIONS = [1, 8, 64];
const ROUND_SECONDS = 3;
const [dataDir = "data", rounds = "4", filters = "state=CA"] =
  process.argv.slice(2);

/** The best of a server's rounds. */
interface Speed {
  perSecond: number;
  processorMicros: number;
}

using installation = await installOver(dataDir);
const { key } = installation;
await using service = await ServerProcess.serve(installation, {
  workers: 1,
  logLevel: "info",
});
const ORDERS = [
  { title: "NDJSON", query: "format=ndjson", encoding: "identity" },
  { title: "CSV", query: "format=csv", encoding: "identity" },
  { title: "NDJSON, gzip", query: "format=ndjson", encoding: "gzip" },
  { title: "NDJSON, include=all", query: "include=all", encoding: "identity" },
] as const;
for (const { encoding, query, title } of ORDERS) {
  const path = `/v1/providers/export?${query}&${filters}`;
  await using bare = await startBare(path, encoding);
  const sides = [service, bare].map((server) => ({
    server,
    best: { perSecond: 0, processorMicros: Infinity },
  }));
  const order = { key, path, encoding, readers: 1, seconds: ROUND_SECONDS };
  let bytesPerRow = 0;
  for (let round = 0; round < Number(rounds); round++)
    for (const { best, server } of sides)
      bytesPerRow = await measure(server, order, best);
  const [ours, floor] = sides.map(({ best }) => best);
  if (ours === undefined || floor === undefined) throw new Error("No figures.");
  console.log(
    `${title.padEnd(20)} ${describe(ours)}   ÷ the same bytes ${describe(floor)} ` +
      `${(ours.perSecond / floor.perSecond).toFixed(2)} ×   (${Math.round(bytesPerRow)} bytes a record)`,
  );
}
await lookUpsDuring();

async function startBare(
  path: string,
  encoding: string,
): Promise<ServerProcess> {
  const response = await fetch(`${service.url}${path}`, {
    headers: { authorization: `Bearer ${key}`, "accept-encoding": encoding },
  });
  const rows = response.headers.get("x-total-count") ?? "";
  const file = join(installation.dataDir, "export.bytes");
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  try {
    return await ServerProcess.script(BARE_STREAM, file, rows);
  } finally {
    rmSync(file);
  }
}

/** Returns the bytes per row. */
async function measure(
  server: ServerProcess,
  order: Omit<ReaderOrder, "url">,
  best: Speed,
): Promise<number> {
  const before = server.processorSeconds;
  const { bytes, rows, seconds } = await readExports({
    ...order,
    url: server.url,
  });
  const micros = ((server.processorSeconds - before) / rows) * 1e6;
  best.perSecond = Math.max(best.perSecond, rows / seconds);
  best.processorMicros = Math.min(best.processorMicros, micros);
  return bytes / rows;
}

function describe({ perSecond, processorMicros }: Speed): string {
  const speed = Math.round(perSecond).toLocaleString("en").padStart(9);
  return `${speed}/s (${processorMicros.toFixed(2)} µs)`;
}

/** Look-ups without and during exports. */
async function lookUpsDuring(): Promise<void> {
  const questions = drawQuestions(installation.dataDir, {
    "look-up": 2_000,
    search: 0,
    nearby: 0,
  });
  const shots = await expectAnswers(service.url, key, questions["look-up"]);
  for (const connections of CONNECTIONS) {
    const without: number[] = [];
    const during: number[] = [];
    for (let round = 0; round < Number(rounds); round++) {
      without.push(await p99(connections));
      const readers = readExports({
        url: service.url,
        key,
        path: `/v1/providers/export?${filters}`,
        encoding: "identity",
        readers: EXPORTS,
        seconds: ROUND_SECONDS + 1,
      });
      during.push(await p99(connections));
      await readers;
    }
    const [a, b] = [median(without), median(during)];
    console.log(
      `look-ups over ${connections} connections: p99 ${a.toFixed(2)} ms, during ${EXPORTS} exports ${b.toFixed(2)} ms: ${(b / a).toFixed(2)} ×`,
    );
  }

  async function p99(connections: number): Promise<number> {
    const { faults, latencies } = await fire({
      url: service.url,
      key,
      connections,
      seconds: ROUND_SECONDS,
      shots,
    });
    const [fault] = faults;
    if (fault !== undefined) throw new Error(fault);
    return latencies["look-up"]?.p99 ?? Number.NaN;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
