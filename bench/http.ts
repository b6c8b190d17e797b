/**
 * How many look-ups, searches, and nearby searches per second does one worker answer over HTTP, with the key checked,
 * the quota counted, and all headers sent? The floor, in the same run: a bare `node:http` server that sends the same
 * bytes, head and body, from memory. A second one sends the bodies with only Content-Type and shows what the headers
 * cost. All get the same requests over 64 connections from autocannon in a separate process; on two cores the client
 * has one and the server the other. Rounds alternate, and the best of each side counts: other work on the machine only
 * slows a round down. If the client is the slower side, it hides what a server could do, so the processor time per
 * answer of the whole process, with its log, is printed too. That of look-ups with two workers says how a second one
 * scales where cores suffice: with a core for each, they answer twice as many, less what each answer costs more.
 *
 *   node_modules/.bin/node bench/http.ts [data folder] [rounds] [log level]
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fire, type Shot } from "./load/cannon.ts";
import { expectAnswers, headersOfAnswer } from "./load/expected-answers.ts";
import { installOver } from "./load/installation.ts";
import { drawQuestions, type QueryKind } from "./load/questions.ts";
import { ServerProcess } from "./load/server-process.ts";

const BARE_SERVER = fileURLToPath(
  new URL("./load/bare-server.ts", import.meta.url),
);
const QUESTIONS = { "look-up": 2_000, search: 2_000, nearby: 2_000 };
/** Searches that find fewer are left out: a full page is what is measured. */
const ENTRIES = 25;
const CONNECTIONS = 64;
const ROUND_SECONDS = 2;
const CONTENT_TYPE = ["content-type", "application/json; charset=utf-8"];
const [dataDir = "data", rounds = "4", logLevel = "info"] =
  process.argv.slice(2);

/** What is measured: all that is drawn of a kind, and the plainest of it. */
const ROWS: readonly { title: string; kind: QueryKind; pattern: RegExp }[] = [
  { title: "look-up", kind: "look-up", pattern: /./ },
  { title: "search, city and state", kind: "search", pattern: /\?city=/ },
  { title: "search, all kinds", kind: "search", pattern: /./ },
  { title: "nearby, 25 miles", kind: "nearby", pattern: /\?zip=\d+$/ },
  { title: "nearby, all kinds", kind: "nearby", pattern: /./ },
];

/** The best of a server's rounds. */
interface Speed {
  perSecond: number;
  processorMicros: number;
}

/** A server, and the key that it is asked with. */
interface Side {
  readonly server: ServerProcess;
  readonly key: string;
  readonly best: Speed;
}

using installation = await installOver(dataDir);
const { key } = installation;
const questions = drawQuestions(installation.dataDir, QUESTIONS);
await using service = await ServerProcess.serve(installation, {
  workers: 1,
  logLevel,
});
for (const { kind, pattern, title } of ROWS) {
  const asked = questions[kind].filter(({ path }) => pattern.test(path));
  const answered = await expectAnswers(service.url, key, asked);
  const shots = answered.filter(
    ({ entries }) => entries === null || entries === ENTRIES,
  );
  const [first] = shots;
  if (first === undefined) throw new Error(`${title}: no question`);
  const headers = await headersOfAnswer(service.url, key, first);
  await using bare = await startBare(shots, headers);
  await using barest = await startBare(shots, CONTENT_TYPE);
  const servers = [service, bare, barest];
  const sides = servers.map((server) => ({ server, key, best: unmeasured() }));
  await measureInTurns(sides, shots);
  const [ours = unmeasured(), ...floors] = sides.map(({ best }) => best);
  const [same, bodies] = floors.map((floor) => compare(ours, floor));
  const bytes = shots.reduce((sum, { expected }) => sum + expected.length, 0);
  console.log(
    `${title.padEnd(22)} ${describe(ours)}   ÷ same bytes ${same}   ÷ same bodies ${bodies}` +
      `   (${shots.length} questions, bodies of ${Math.round(bytes / shots.length)} characters)`,
  );
}

await compareWorkers();

async function compareWorkers(): Promise<void> {
  const shots = await expectAnswers(service.url, key, questions["look-up"]);
  using other = await installOver(dataDir);
  await using pair = await ServerProcess.serve(other, { workers: 2, logLevel });
  const one = { server: service, key, best: unmeasured() };
  const two = { server: pair, key: other.key, best: unmeasured() };
  await measureInTurns([one, two], shots);
  const single = one.best.processorMicros;
  const shared = two.best.processorMicros;
  console.log(
    `look-up, two workers   ${shared.toFixed(1)} µs of processor time, one ${single.toFixed(1)} µs: ` +
      `${((2 * single) / shared).toFixed(2)} × the answers of one where cores suffice`,
  );
}

async function startBare(
  shots: readonly Shot[],
  headers: readonly string[],
): Promise<ServerProcess> {
  const file = join(installation.dataDir, "bodies.json");
  const bodies = shots.map(({ expected, path }) => [path, expected]);
  writeFileSync(file, JSON.stringify({ headers, bodies }));
  try {
    return await ServerProcess.script(BARE_SERVER, file);
  } finally {
    rmSync(file);
  }
}

async function measureInTurns(
  sides: readonly Side[],
  shots: readonly Shot[],
): Promise<void> {
  for (const side of sides)
    await measure({ ...side, best: unmeasured() }, shots);
  for (let round = 0; round < Number(rounds); round++)
    for (const side of sides) await measure(side, shots);
}

async function measure(
  { best, key: own, server }: Side,
  shots: readonly Shot[],
): Promise<void> {
  const before = server.processorSeconds;
  const { answers, compared, faults, seconds } = await fire({
    url: server.url,
    key: own,
    connections: CONNECTIONS,
    seconds: ROUND_SECONDS,
    shots,
  });
  const [fault = compared === 0 ? "no answer was compared" : null] = faults;
  if (fault !== null) throw new Error(fault);
  const micros = ((server.processorSeconds - before) / answers) * 1e6;
  best.perSecond = Math.max(best.perSecond, answers / seconds);
  best.processorMicros = Math.min(best.processorMicros, micros);
}

function unmeasured(): Speed {
  return { perSecond: 0, processorMicros: Number.POSITIVE_INFINITY };
}

function describe({ perSecond, processorMicros }: Speed): string {
  const speed = Math.round(perSecond).toLocaleString("en").padStart(7);
  return `${speed}/s (${processorMicros.toFixed(1)} µs)`;
}

/** A server compared with a floor: by answers per second, and by processor time per answer. */
function compare(ours: Speed, floor: Speed): string {
  const rate = ours.perSecond / floor.perSecond;
  const work = floor.processorMicros / ours.processorMicros;
  return `${describe(floor)} ${rate.toFixed(2)} × (${work.toFixed(2)} ×)`;
}
