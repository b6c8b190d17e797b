import { setTimeout as sleep } from "node:timers/promises";
import { fire, type Shot } from "../load/cannon.ts";
import { expectAnswers } from "../load/expected-answers.ts";
import {
  installOver,
  makeKeys,
  type Installation,
} from "../load/installation.ts";
import { drawQuestions } from "../load/questions.ts";
import { ServerProcess } from "../load/server-process.ts";
import {
  initPostgresql,
  startPostgresql,
  type PostgresqlServer,
} from "../peers/systems/postgresql-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import {
  enableStatistics,
  measureServer,
  SERVER_SETTINGS,
  type ServerWork,
} from "./server-statistics.ts";

const ACCOUNTS = 300;
const LOOK_UPS = 1_000;
const CONNECTIONS = 66;
/** Lines of a log would cost all sides the same. */
const QUIET = { workers: 1, logLevel: "warn" };
/** After a round, until its usage is written: a flush each second. */
const WRITTEN_MS = 1_500;

export interface NodesMeasurement {
  readonly dataDir: string;
  /** How many nodes to measure, one number after another. */
  readonly nodes: readonly number[];
  readonly seconds: number;
  readonly rounds: number;
}

/** The same nodes with accounts on one of two databases. */
interface Side {
  readonly name: string;
  readonly nodes: readonly ServerProcess[];
  readonly keys: readonly string[];
  readonly database: PostgresqlServer | null;
  readonly best: Best;
}

interface Best {
  perSecond: number;
  /** Processor time of the nodes per answer, and of PostgreSQL. */
  micros: number;
  serverMicros: number;
  statements: number;
  p50: number;
  p99: number;
}

/** Measures some numbers of nodes, and prints it. */
export async function measureNodes({
  dataDir,
  nodes: counts,
  rounds,
  seconds,
}: NodesMeasurement): Promise<void> {
  await using owned = new AsyncDisposableStack();
  const installation = owned.use(await installOver(dataDir));
  const { path: folder } = owned.use(temporaryFolder("fleet-bench-"));
  await initPostgresql(folder);
  const database = owned.use(await startPostgresql(folder, SERVER_SETTINGS));
  await enableStatistics(database.connection);
  const databaseUrl = `postgres://postgres:peers@${encodeURIComponent(folder)}/postgres`;
  const local = await makeKeys(installation.place, ACCOUNTS);
  const remote = await makeKeys(
    { kind: "postgresql", url: databaseUrl },
    ACCOUNTS,
  );
  const questions = drawQuestions(installation.dataDir, {
    "look-up": LOOK_UPS,
    search: 1,
    nearby: 1,
  })["look-up"];
  for (const count of counts) {
    await using running = new AsyncDisposableStack();
    const start = (url?: string) =>
      startNodes(running, installation, count, url);
    const sides: Side[] = [
      {
        name: "PostgreSQL",
        nodes: await start(databaseUrl),
        keys: remote,
        database,
        best: unmeasured(),
      },
      {
        name: "SQLite",
        nodes: await start(),
        keys: local,
        database: null,
        best: unmeasured(),
      },
    ];
    const [first] = sides;
    const shots = await expectAnswers(
      first!.nodes[0]!.url,
      remote[0]!,
      questions,
    );
    for (const side of sides) await measure(side, shots, seconds, unmeasured());
    for (let round = 0; round < rounds; round++)
      for (const side of round % 2 === 0 ? sides : sides.toReversed())
        await measure(side, shots, seconds, side.best);
    for (const { best, name } of sides)
      console.log(`${count} × ${name.padEnd(10)} ${describe(best)}`);
  }
}

async function startNodes(
  running: AsyncDisposableStack,
  installation: Installation,
  count: number,
  databaseUrl?: string,
): Promise<ServerProcess[]> {
  const nodes: ServerProcess[] = [];
  for (let number = 0; number < count; number++)
    nodes.push(
      running.use(
        await ServerProcess.serve(installation, {
          ...QUIET,
          ...(databaseUrl === undefined ? {} : { databaseUrl }),
        }),
      ),
    );
  return nodes;
}

async function measure(
  { database, keys, nodes }: Side,
  shots: readonly Shot[],
  seconds: number,
  best: Best,
): Promise<void> {
  const before = processorOf(nodes);
  const workSince = database === null ? null : await measureServer(database);
  const volleys = await Promise.all(
    nodes.map(({ url }) =>
      fire({
        url,
        key: keys[0]!,
        keys,
        connections: Math.floor(CONNECTIONS / nodes.length),
        seconds,
        shots,
      }),
    ),
  );
  const [fault = null] = volleys.flatMap(({ faults }) => faults);
  if (fault !== null) throw new Error(fault);
  await sleep(WRITTEN_MS);
  const work = (await workSince?.()) ?? null;
  const answers = volleys.reduce((sum, volley) => sum + volley.answers, 0);
  const perSecond = volleys.reduce(
    (sum, volley) => sum + volley.answers / volley.seconds,
    0,
  );
  const micros = ((processorOf(nodes) - before) / answers) * 1e6;
  best.micros = Math.min(best.micros, micros);
  if (work !== null) {
    const serverMicros = (work.processorSeconds / answers) * 1e6;
    best.serverMicros = Math.min(best.serverMicros, serverMicros);
  }
  if (perSecond <= best.perSecond) return;
  best.perSecond = perSecond;
  best.statements = work === null ? 0 : statementsOf(work) / answers;
  const latencies = volleys.flatMap(
    (volley) => volley.latencies["look-up"] ?? [],
  );
  best.p50 = Math.max(...latencies.map(({ p50 }) => p50));
  best.p99 = Math.max(...latencies.map(({ p99 }) => p99));
}

function statementsOf({ statements }: ServerWork): number {
  let calls = 0;
  for (const sum of statements.values()) calls += sum.calls;
  return calls;
}

function processorOf(nodes: readonly ServerProcess[]): number {
  return nodes.reduce((sum, node) => sum + node.processorSeconds, 0);
}

function unmeasured(): Best {
  return {
    perSecond: 0,
    micros: Number.POSITIVE_INFINITY,
    serverMicros: Number.POSITIVE_INFINITY,
    statements: 0,
    p50: 0,
    p99: 0,
  };
}

function describe(best: Best): string {
  const rate = Math.round(best.perSecond).toLocaleString("en").padStart(7);
  const server = Number.isFinite(best.serverMicros)
    ? ` + ${best.serverMicros.toFixed(1)} µs in PostgreSQL, a statement for ${Math.round(1 / best.statements)} answers`
    : "";
  return `${rate}/s   p50 ${best.p50.toFixed(1)} ms, p99 ${best.p99.toFixed(1)} ms   ${best.micros.toFixed(1)} µs an answer${server}`;
}
