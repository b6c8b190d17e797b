/**
 * What do accounts cost a look-up over HTTP? Compares look-ups per second of one worker with accounts on SQLite, with
 * accounts on PostgreSQL (a separate server on the same cores), and without checks (the same app with a gate that
 * admits everyone). All get the same requests over 64 connections from autocannon in a separate process. Rounds
 * alternate and start with another side each time. The best round of each side counts, and so does the least processor
 * time per answer of the service's whole process.
 *
 * PostgreSQL must be within 5 % of SQLite; otherwise the exit code is 1.
 *
 *   node_modules/.bin/node bench/accounts-http.ts [data folder] [rounds]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fire } from "./load/cannon.ts";
import { expectAnswers } from "./load/expected-answers.ts";
import { installOver, makeKey } from "./load/installation.ts";
import { drawQuestions } from "./load/questions.ts";
import { ServerProcess } from "./load/server-process.ts";
import {
  initPostgresql,
  startPostgresql,
} from "./peers/systems/postgresql-server.ts";

const UNCHECKED_SERVER = fileURLToPath(
  new URL("./load/unchecked-server.ts", import.meta.url),
);
const LOOK_UPS = 2_000;
const CONNECTIONS = 64;
const ROUND_SECONDS = 2;
const CLOSE_ENOUGH = 0.95;
/** Lines for each answer would be written by two sides of three. */
const QUIET = { workers: 1, logLevel: "warn" };
const [dataDir = "data", rounds = "6"] = process.argv.slice(2);

await using owned = new AsyncDisposableStack();
const installation = owned.use(await installOver(dataDir));
const folder = mkdtempSync(join(tmpdir(), "accounts-http-"));
owned.defer(() => rmSync(folder, { recursive: true }));
await initPostgresql(folder);
owned.use(await startPostgresql(folder));
const databaseUrl = `postgres://postgres:peers@${encodeURIComponent(folder)}/postgres`;
const remoteKey = await makeKey({ kind: "postgresql", url: databaseUrl });

const sides = [
  await side("SQLite", ServerProcess.serve(installation, QUIET)),
  await side(
    "PostgreSQL",
    ServerProcess.serve(installation, { ...QUIET, databaseUrl }),
    remoteKey,
  ),
  await side(
    "checking off",
    ServerProcess.script(UNCHECKED_SERVER, installation.dataDir),
  ),
];
const questions = drawQuestions(installation.dataDir, {
  "look-up": LOOK_UPS,
  search: 1,
  nearby: 1,
})["look-up"];
const shots = await expectAnswers(
  sides[0]!.server.url,
  installation.key,
  questions,
);

for (let round = -1; round < Number(rounds); round++) {
  for (let turn = 0; turn < sides.length; turn++) {
    const measured = sides[(turn + round + 1) % sides.length]!;
    const { key, server } = measured;
    const before = server.processorSeconds;
    const { answers, compared, faults, seconds } = await fire({
      url: server.url,
      key,
      connections: CONNECTIONS,
      seconds: ROUND_SECONDS,
      shots,
    });
    const [fault = compared === 0 ? "no answer was compared" : null] = faults;
    if (fault !== null) throw new Error(`${measured.name}: ${fault}`);
    // The first round warms up.
    if (round < 0) continue;
    const micros = ((server.processorSeconds - before) / answers) * 1e6;
    measured.perSecond = Math.max(measured.perSecond, answers / seconds);
    measured.micros = Math.min(measured.micros, micros);
  }
}

const [sqlite, postgresql, unchecked] = sides;
if (!sqlite || !postgresql || !unchecked) throw new Error("A side is missing.");
for (const { micros, name, perSecond } of sides)
  console.log(
    `${name.padEnd(14)} ${Math.round(perSecond).toLocaleString("en").padStart(7)} look-ups a second (${micros.toFixed(1)} µs)   ${(perSecond / unchecked.perSecond).toFixed(2)} × checking off`,
  );
const ratio = postgresql.perSecond / sqlite.perSecond;
const work = sqlite.micros / postgresql.micros;
console.log(
  `PostgreSQL ÷ SQLite: ${ratio.toFixed(3)} ×, by processor time ${work.toFixed(3)} ×`,
);
process.exitCode = ratio >= CLOSE_ENOUGH && ratio <= 1 / CLOSE_ENOUGH ? 0 : 1;

async function side(
  name: string,
  starting: Promise<ServerProcess>,
  key = installation.key,
) {
  const server = owned.use(await starting);
  return { name, server, key, perSecond: 0, micros: Number.POSITIVE_INFINITY };
}
