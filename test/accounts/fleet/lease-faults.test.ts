import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Kysely } from "kysely";
import { Accounts } from "../../../src/accounts/accounts.ts";
import type { AccountsContext } from "../../../src/accounts/context.ts";
import { AccountsDatabaseUnavailableError } from "../../../src/accounts/database/database.ts";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import type { Tables } from "../../../src/accounts/database/tables.ts";
import { LeaseDesk } from "../../../src/accounts/leases/lease-desk.ts";
import { LeaseStore } from "../../../src/accounts/leases/lease-store.ts";
import { LeasedQuota } from "../../../src/accounts/leases/leased-quota.ts";
import { AccountTables } from "../../../src/accounts/metering/account-tables.ts";
import { monthAt } from "../../../src/accounts/metering/month.ts";
import { createUsageBuffer } from "../../../src/accounts/metering/usage-buffer.ts";
import { UsageFlush } from "../../../src/accounts/metering/usage-flusher.ts";
import { Usage } from "../../../src/accounts/metering/usage.ts";
import { BUILT_IN_PLANS } from "../../../src/accounts/plans.ts";
import { check } from "../../support/arbitrary/check.ts";
import { START_MS } from "../../support/service/accounts-installation.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../../support/servers/postgresql.ts";

const NODES = 3;
const NEVER_MS = 3_600_000;
const MONTH = monthAt(START_MS).number;

/** What happens to a statement: it isn't sent, its answer is lost, or it also reaches the server late. */
const FAULTS = ["unsent", "unanswered", "late"] as const;
type Fault = (typeof FAULTS)[number];

/** Breaks statements as a network does. */
class Network {
  next: Fault | null = null;
  readonly #late: (() => Promise<unknown>)[] = [];
  readonly #sending = new Set<Promise<unknown>>();
  #isCut = false;

  async send<Result>(statement: () => Promise<Result>): Promise<Result> {
    if (this.#isCut) throw new AccountsDatabaseUnavailableError("cut");
    const sending = this.#send(statement);
    this.#sending.add(sending);
    return sending.finally(() => this.#sending.delete(sending));
  }

  /** Sends nothing more; resolves once what is on its way has arrived. */
  async cut(): Promise<void> {
    this.#isCut = true;
    await Promise.allSettled(this.#sending);
  }

  async #send<Result>(statement: () => Promise<Result>): Promise<Result> {
    const fault = this.next;
    this.next = null;
    if (fault === null) return statement();
    if (fault === "unanswered") await statement();
    if (fault === "late") this.#late.push(statement);
    // A statement that arrives late timed out; otherwise the connection was lost.
    if (fault === "late") throw new Error(fault);
    throw new AccountsDatabaseUnavailableError(fault);
  }

  async deliver(): Promise<void> {
    for (const statement of this.#late.splice(0)) await statement();
  }
}

class FaultyStore extends LeaseStore {
  readonly #network: Network;
  /** A late statement has the number with which it was sent. */
  constructor(db: Kysely<Tables>, process: string, network: Network) {
    super(db, process);
    this.#network = network;
  }

  override settle(...given: Parameters<LeaseStore["settle"]>) {
    const [wants, nodes, number = this.nextNumber()] = given;
    return this.#network.send(() => super.settle(wants, nodes, number));
  }

  override open(...given: Parameters<LeaseStore["open"]>) {
    return this.#network.send(() => super.open(...given));
  }

  override close(...given: Parameters<LeaseStore["close"]>) {
    return this.#network.send(() => super.close(...given));
  }
}

class FaultyUsage extends Usage {
  readonly #network: Network;

  constructor(context: AccountsContext, network: Network) {
    super(context);
    this.#network = network;
  }

  override record(...given: Parameters<Usage["record"]>) {
    return this.#network.send(() => super.record(...given));
  }
}

class FaultyAccounts extends Accounts {
  override readonly usage: Usage;

  constructor(context: AccountsContext, network: Network) {
    super(context, BUILT_IN_PLANS);
    this.usage = new FaultyUsage(context, network);
  }

  /** Would delete the usage of accounts that only this test knows. */
  override purge(): Promise<void> {
    return Promise.resolve();
  }
}

const clock = () => START_MS;

/** The parts of a process that count one account's answers. */
function startNode(db: Kysely<Tables>) {
  const process = randomUUID();
  const network = new Network();
  const usage = createUsageBuffer({ accounts: 10, keys: 10 });
  const context = { db, clock, random: randomBytes, actor: "test" };
  const accounts = new FaultyAccounts(context, network);
  const flusher = new UsageFlush({
    accounts,
    process,
    usage,
    clock,
    intervalMs: NEVER_MS,
    onError: () => undefined,
  });
  const desk = new LeaseDesk({
    store: new FaultyStore(db, process, network),
    usage,
    clock,
    liveNodes: () => NODES,
    flushes: () => flusher.flushes,
  });
  const quota = new LeasedQuota({
    tables: new AccountTables(usage),
    usage,
    broker: { lease: (request) => desk.ask(request) },
    whenAway: "strict",
    onRefused: () => undefined,
  });
  return { process, network, flusher, desk, quota };
}

type Node = ReturnType<typeof startNode>;

const nodeOf = fc.nat({ max: NODES - 1 });
const stepOf = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("take" as const),
      node: nodeOf,
      times: fc.integer({ min: 1, max: 40 }),
      answers: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 120 })),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "flush",
        "sweep",
        "return",
        "fold",
        "deliver",
        "crash",
      ),
      node: nodeOf,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("fault" as const),
      node: nodeOf,
      fault: fc.constantFrom(...FAULTS),
    }),
  },
);

test(
  "whatever is lost, late, or dies: never more answers than the quota, and in the end used is what was answered",
  { skip: NO_POSTGRESQL },
  async () => {
    const place = await (await postgresqlOfRun()).makeDatabase();
    await using db = await openDatabase(place);
    let lastAccount = 0;
    await check(
      400,
      fc.record({
        quota: fc.integer({ min: 1, max: 300 }),
        steps: fc.array(stepOf, { maxLength: 60, size: "max" }),
      }),
      async ({ quota: monthlyQuota, steps }) => {
        const id = ++lastAccount;
        const plan = {
          name: "free",
          monthlyQuota,
          burstPerSecond: 20,
        };
        const account = { id, keyPlace: -1, plan };
        const nodes: Node[] = [];
        const born: Node[] = [];
        const start = async (index: number) => {
          const node = startNode(db);
          nodes[index] = node;
          born.push(node);
          await seen(node, Date.now());
        };
        const seen = (node: Node, seen_at: number) =>
          db
            .insertInto("fleet_node")
            .values({
              process: node.process,
              name: "node",
              version: "1",
              started_at: 0,
              seen_at,
            })
            .onConflict((conflict) =>
              conflict.column("process").doUpdateSet({ seen_at }),
            )
            .execute();
        for (let index = 0; index < NODES; index++) await start(index);

        let answers = 0;
        let crashes = 0;
        async function take(
          node: Node,
          times: number,
          size: number,
        ): Promise<void> {
          for (let time = 0; time < times; time++) {
            node.quota.noteContact();
            let taking = node.quota.take(account, MONTH, size);
            if (taking === "pending") {
              await node.quota.wait(account, MONTH, size);
              taking = node.quota.take(account, MONTH, size);
            }
            if (taking === "taken") answers += size;
            else if (taking === "used_up") return;
          }
        }
        async function checkSums(): Promise<void> {
          const sum = await sums(db, id);
          assert.ok(sum.used + sum.leased <= monthlyQuota, "over-granted");
          assert.equal(sum.leased, sum.remaining, "leased is not the sum");
          assert.ok(answers <= monthlyQuota, "over the quota");
          assert.ok(answers <= sum.used + sum.leased, "uncovered answers");
        }
        for (const step of steps) {
          const node = nodes[step.node]!;
          if (step.kind === "take") await take(node, step.times, step.answers);
          else if (step.kind === "fault") node.network.next = step.fault;
          else if (step.kind === "flush")
            await node.flusher.flush().catch(() => undefined);
          else if (step.kind === "sweep") await node.desk.sweep();
          else if (step.kind === "return")
            await node.desk.returnAll().catch(() => undefined);
          else if (step.kind === "deliver") await node.network.deliver();
          else {
            if (step.kind === "crash") {
              crashes++;
              await node.network.cut();
            }
            await seen(node, 0);
            if (step.kind === "crash") await start(step.node);
            else {
              await nodes[(step.node + 1) % NODES]!.desk.fold();
              await seen(node, Date.now());
            }
          }
          await checkSums();
        }

        // The network is fine again, the dead are found, and everyone stops.
        for (const node of born) {
          node.network.next = null;
          await node.network.deliver();
        }
        for (const node of nodes) {
          await node.flusher.flush();
          await node.desk.sweep();
          await node.flusher.flush();
          await node.desk.returnAll();
        }
        for (const node of born.filter((each) => !nodes.includes(each)))
          await seen(node, 0);
        await nodes[0]!.desk.fold();
        await checkSums();
        const sum = await sums(db, id);
        assert.equal(sum.leased, 0);
        if (crashes === 0) assert.equal(sum.used, answers);
        else assert.ok(sum.used >= answers);
        await db.deleteFrom("fleet_node").execute();
      },
    );
  },
);

/** The account's row and the sum of its leases, at one moment. */
async function sums(db: Kysely<Tables>, id: number) {
  const row = await db
    .selectFrom("api_usage")
    .select((select) => [
      "used",
      "leased",
      select
        .selectFrom("api_lease")
        .select(({ fn }) => fn.sum<number | null>("remaining").as("sum"))
        .where("account_id", "=", id)
        .as("remaining"),
    ])
    .where("account_id", "=", id)
    .executeTakeFirst();
  const { leased = 0, remaining, used = 0 } = row ?? {};
  return { used, leased, remaining: remaining ?? 0 };
}
