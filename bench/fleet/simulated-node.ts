import { randomBytes, randomUUID } from "node:crypto";
import { pino } from "pino";
import { Accounts } from "../../src/accounts/accounts.ts";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import type { Gate } from "../../src/accounts/metering/thread-gate.ts";
import { createGateMemory } from "../../src/accounts/metering/gate-memory.ts";
import { ThreadGate } from "../../src/accounts/metering/thread-gate.ts";
import type { UsageFlush } from "../../src/accounts/metering/usage-flusher.ts";
import { configurePlans } from "../../src/accounts/plans.ts";
import { startHeartbeat } from "../../src/server/heartbeat.ts";
import { PLAN, PLAN_NAME } from "./accounts.ts";
import type { StatementTimer } from "./statement-timer.ts";

const clock = () => Date.now();

/** A node without HTTP and data: what `startService` opens of accounts, and a worker's gate in the same thread. */
export interface SimulatedNode extends AsyncDisposable {
  readonly gate: Gate;
  readonly flusher: UsageFlush;
}

/** Opens a node. Disposing of it writes its usage and gives back what is prepaid, as a stop does. */
export async function openNode(
  url: string,
  name: string,
  timer: StatementTimer,
): Promise<SimulatedNode> {
  await using owned = new AsyncDisposableStack();
  const configured = configurePlans({ [PLAN_NAME]: PLAN });
  if (configured.outcome !== "plans") throw new Error("The plan is wrong.");
  const { plans } = configured;
  const place = { kind: "postgresql", url } as const;
  const db = (await openDatabase(place)).withPlugin(timer);
  const context = { db, clock, random: randomBytes, actor: "bench" };
  const accounts = owned.use(new Accounts(context, plans));
  const { nodes } = accounts;
  if (nodes === null) throw new Error("The database isn't PostgreSQL.");
  const process = randomUUID();
  const heartbeat = owned.use(
    await startHeartbeat({
      nodes,
      identity: { process, name, version: "bench" },
      isPulling: false,
      logger: pino({ level: "silent" }),
    }),
  );
  const memory = createGateMemory();
  const { flusher } = owned.use(
    await accounts.keepGate({
      process,
      memory,
      liveNodes: () => heartbeat.fleet.liveNodes,
      onError: (error) => console.error(String(error).slice(0, 200)),
    }),
  );
  const gate = new ThreadGate({ plans, memory });
  const opened = owned.move();
  return {
    gate,
    flusher,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
