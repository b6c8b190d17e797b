import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import { AccountsDatabaseUnavailableError } from "../../../src/accounts/database/database.ts";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import type { Tables } from "../../../src/accounts/database/tables.ts";
import { AccountTable } from "../../../src/accounts/metering/account-table.ts";
import { createGateMemory } from "../../../src/accounts/metering/gate-memory.ts";
import { monthAt, monthOfLabel } from "../../../src/accounts/metering/month.ts";
import {
  MonthlyUse,
  type ChangedUse,
  type UseChange,
} from "../../../src/accounts/metering/monthly-use.ts";
import { QuotaDesk } from "../../../src/accounts/metering/quota-desk.ts";
import type { Kysely } from "kysely";
import { check } from "../../support/pure/arbitrary/check.ts";
import { releaseRounds } from "../../support/pure/full-run.ts";
import { START_MS } from "../../support/app/accounts-installation.ts";
import { suiteOnBoth } from "../../support/postgresql/on-both.ts";

const NODES = 3;
const FIRST_MONTH = monthAt(START_MS).number;

/** What happens to a statement: it isn't sent, its answer is lost, or it reaches the server after it was given up. */
const FAULTS = ["unsent", "unanswered", "late"] as const;
type Fault = (typeof FAULTS)[number];

/** Breaks statements as a network does, and keeps account of what was done without an answer. */
class FaultyUse extends MonthlyUse {
  next: Fault | null = null;
  /** Prepaid in the database, without the node's knowledge. */
  lost = 0;
  /** Given back in the database. */
  returned = 0;
  #late: (readonly UseChange[])[] = [];

  readonly #sending = new Set<Promise<ChangedUse[]>>();

  override change(changes: readonly UseChange[]): Promise<ChangedUse[]> {
    const sending = this.#send(changes);
    this.#sending.add(sending);
    return sending.finally(() => this.#sending.delete(sending));
  }

  /** Waits for slow statements, for which the desk doesn't. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#sending);
    await setImmediate();
  }

  async #send(changes: readonly UseChange[]): Promise<ChangedUse[]> {
    const fault = this.next;
    this.next = null;
    if (fault === "late") this.#late.push(changes);
    // A statement that arrives late timed out; otherwise the connection was lost.
    if (fault === "late") throw new Error(fault);
    if (fault === "unsent") throw new AccountsDatabaseUnavailableError(fault);
    const rows = await this.#execute(changes, fault === "unanswered");
    if (fault !== null) throw new AccountsDatabaseUnavailableError(fault);
    return rows;
  }

  /** Lets what is late arrive. */
  async deliver(): Promise<void> {
    for (const changes of this.#late.splice(0))
      await this.#execute(changes, true);
  }

  async #execute(changes: readonly UseChange[], isLost: boolean) {
    const rows = await super.change(changes);
    for (const { taken } of rows) {
      if (taken < 0) this.returned -= taken;
      else if (isLost) this.lost += taken;
    }
    return rows;
  }
}

/** What counts an account's answers in a process. */
function startNode(db: Kysely<Tables>, accountId: number) {
  const table = new AccountTable(createGateMemory({ accounts: 1, keys: 1 }));
  const use = new FaultyUse(db, () => START_MS);
  const desk = new QuotaDesk({
    use,
    table,
    liveNodes: () => NODES,
    onSent: () => undefined,
    idleMs: 0,
    faultPauseMs: 0,
  });
  return { table, use, desk, place: table.placeOf(accountId), isDead: false };
}

type Node = ReturnType<typeof startNode>;

const node = fc.nat({ max: NODES - 1 });
const stepOf = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("take" as const),
      node,
      times: fc.integer({ min: 1, max: 40 }),
      answers: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 120 })),
      /** Of the last ones that were taken. */
      givenBack: fc.oneof(fc.constant(0), fc.nat({ max: 120 })),
      hasSlowClock: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom("serve", "sweep", "deliver", "crash"),
      node,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("fault" as const),
      node,
      fault: fc.constantFrom(...FAULTS),
    }),
  },
);
type Step = typeof stepOf extends fc.Arbitrary<infer Value> ? Value : never;

/** Steps at the same time; before them, a change of plan or the month's turn. */
const momentOf = fc.record({
  before: fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }) },
    { weight: 1, arbitrary: fc.constant("turn" as const) },
  ),
  steps: fc.array(stepOf, { minLength: 1, maxLength: 3 }),
});

type Moment = typeof momentOf extends fc.Arbitrary<infer Value> ? Value : never;

/** Longer than the rounds of a release take. */
const LONG = { timeout: 1_200_000 };

suiteOnBoth("faults while quota is prepaid", (install) => {
  test(
    "whatever is lost, late or dies: answered ≤ used ≤ quota, and what is used and not answered is prepaid or was lost",
    LONG,
    async () => {
      await using installation = await install();
      await using db = await openDatabase(installation.place);
      const cases = fc.record({
        quota: fc.integer({ min: 1, max: 300 }),
        moments: fc.array(momentOf, { maxLength: 14, size: "max" }),
      });
      let made = 0;
      async function run({
        moments,
        quota,
      }: {
        quota: number;
        moments: Moment[];
      }) {
        const { id } = await db
          .insertInto("api_account")
          .values({
            email: `${++made}@clinic.example`,
            plan: "free",
            created_at: START_MS,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        await runCase(db, id, quota, moments);
      }
      // Accounts don't wait for each other, so a database that is far away costs less time.
      const together = fc.array(cases, { minLength: 10, maxLength: 10 });
      await check(
        releaseRounds(100),
        together,
        async (all) => void (await Promise.all(all.map(run))),
        25,
      );
    },
  );
});

async function runCase(
  db: Kysely<Tables>,
  accountId: number,
  firstQuota: number,
  moments: readonly Moment[],
): Promise<void> {
  const born: Node[] = [];
  const start = () => {
    const started = startNode(db, accountId);
    born.push(started);
    return started;
  };
  const nodes = Array.from({ length: NODES }, start);
  let quota = firstQuota;
  let month = FIRST_MONTH;
  /** By month: answers, and the most that there may be of them, and of the use. */
  const months = new Map<
    number,
    { answers: number; mostAnswers: number; mostUsed: number }
  >();
  const begin = () =>
    months.set(month, { answers: 0, mostAnswers: quota, mostUsed: quota });
  begin();

  async function take(
    taker: Node,
    at: number,
    answers: number,
  ): Promise<boolean> {
    const { desk, place, table } = taker;
    for (let attempt = 0; attempt < 3; attempt++) {
      if (taker.isDead) return false;
      const taking = table.take(place, at, answers, quota);
      if (taking === "taken") {
        months.get(at)!.answers += answers;
        return true;
      }
      if (taking === "used_up" && attempt > 0) return false;
      table.want(place, at, answers, quota);
      await desk.serve();
    }
    return false;
  }

  async function run(step: Step): Promise<void> {
    const actor = nodes[step.node]!;
    switch (step.kind) {
      case "take": {
        const at =
          step.hasSlowClock && months.has(month - 1) ? month - 1 : month;
        let taken = 0;
        while (
          taken < step.times * step.answers &&
          (await take(actor, at, step.answers))
        )
          taken += step.answers;
        const back = Math.min(taken, step.givenBack);
        if (actor.isDead || back === 0) return;
        actor.table.giveBack(actor.place, at, back);
        months.get(at)!.answers -= back;
        return;
      }
      case "fault":
        actor.use.next = step.fault;
        return;
      case "serve":
        return actor.desk.serve();
      case "sweep":
        return actor.desk.sweep();
      case "deliver":
        return actor.use.deliver();
      case "crash":
        actor.isDead = true;
        nodes[step.node] = start();
    }
  }

  async function recallAll(): Promise<void> {
    await Promise.all(nodes.map(({ desk }) => desk.recall(null)));
  }

  async function checkSums(): Promise<number> {
    await Promise.all(born.map(({ use }) => use.idle()));
    const rows = await db
      .selectFrom("api_usage")
      .select(["month", "used"])
      .where("account_id", "=", accountId)
      .execute();
    const usedIn = new Map(
      rows.map((row) => [monthOfLabel(row.month), row.used]),
    );
    let outstanding = 0;
    for (const { desk, place, table, use } of born) {
      outstanding += use.lost + desk.counts.givenBack - use.returned;
      for (const at of months.keys()) outstanding += table.left(place, at);
    }
    let allUsed = 0;
    let allAnswers = 0;
    for (const [at, { answers, mostAnswers, mostUsed }] of months) {
      const used = usedIn.get(at) ?? 0;
      assert.ok(used <= mostUsed, `${used} of ${mostUsed} are used`);
      assert.ok(answers <= used, `${answers} answers of ${used}`);
      assert.ok(answers <= mostAnswers, `${answers} of ${mostAnswers}`);
      allUsed += used;
      allAnswers += answers;
    }
    assert.equal(allUsed - allAnswers, outstanding);
    return usedIn.get(month) ?? 0;
  }

  for (const { before, steps } of moments) {
    // Once: here no time passes in which what is left of a month is given back.
    if (before === "turn" && months.size === 1) {
      month++;
      begin();
    } else if (typeof before === "number") {
      quota = before;
      await recallAll();
      for (const sums of months.values()) {
        sums.mostAnswers = Math.max(quota, sums.answers);
        sums.mostUsed = Math.max(quota, sums.mostUsed);
      }
    }
    await Promise.all(steps.map(run));
    await checkSums();
  }

  // The network is fine again, and all stop.
  for (const { use } of born) {
    use.next = null;
    await use.deliver();
  }
  for (const { desk } of nodes) await desk.returnAll();
  const used = await checkSums();
  const last = start();
  const rest = Math.max(quota - used, 0);
  assert.equal(await take(last, month, rest + 1), false);
  if (rest > 0) assert.ok(await take(last, month, rest), "the rest is given");
  await last.desk.returnAll();
  await checkSums();
}
