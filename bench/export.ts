/**
 * How many records a second does one worker send as an export, and how long do look-ups of others take meanwhile?
 *
 * The floor of the first: a bare `node:http` server that streams the same bytes from memory to the same client. Rounds
 * alternate and the best of each side counts; the processor time per record of the whole process is printed too. For
 * the second, look-ups are sent with and without four exports in turns: by as many connections as are named, each of
 * which sends the next look-up once the last is answered. Server and clients share the machine, so on two cores the
 * clients wait for each other too.
 *
 *   node_modules/.bin/node bench/export.ts [data folder] [rounds] [filters]
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expectAnswers } from "./load/expected-answers.ts";
import { readExports, type ReaderOrder } from "./load/export-readers.ts";
import { installOver } from "./load/installation.ts";
import { lookUpsDuring } from "./load/look-ups-during.ts";
import { drawQuestions } from "./load/questions.ts";
import { ServerProcess } from "./load/server-process.ts";

const BARE_STREAM = fileURLToPath(
  new URL("./load/bare-stream.ts", import.meta.url),
);
const EXPORTS = 4;
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
await lookUpsDuringExports();

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

async function lookUpsDuringExports(): Promise<void> {
  const questions = drawQuestions(installation.dataDir, {
    "look-up": 2_000,
    search: 0,
    nearby: 0,
  });
  const shots = await expectAnswers(service.url, key, questions["look-up"]);
  await lookUpsDuring(
    { url: service.url, key, shots },
    Number(rounds),
    `during ${EXPORTS} exports`,
    (seconds) =>
      readExports({
        url: service.url,
        key,
        path: `/v1/providers/export?${filters}`,
        encoding: "identity",
        readers: EXPORTS,
        seconds,
      }),
  );
}
