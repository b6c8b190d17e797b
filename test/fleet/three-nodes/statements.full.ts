import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { Client } from "pg";
import { Answers, askOnce, hammer } from "../../support/fleet/hammer.ts";
import { startPostgresqlFleet } from "../../support/fleet/postgresql-fleet.ts";
import { until } from "../../support/pure/until.ts";
import { NO_POSTGRESQL } from "../../support/postgresql/postgresql.ts";
import { TestPostgresql } from "../../support/postgresql/postgresql-server.ts";
import {
  type CountedStatement,
  COUNTING,
  countStatements,
} from "../../support/postgresql/statements.ts";

/** The second one allows all of it within a second. */
const PLANS = {
  free: { monthlyQuota: 1_000, burstPerSecond: 1_000 },
  paid: { monthlyQuota: 20_000, burstPerSecond: 20_000 },
} as const;
const REFUSALS = 300;
const KEYS = 20;
/** What a node sends at most once a second, however many answers it gives. */
const BY_TIME = /fleet_node|api_key_change|pg_is_in_recovery|INTO api_flush/;
const FEED = /api_key_change/;
const READ = /^(?!.*api_key_change).*from "?api_key\b/is;
/** Changes are read once a second. */
const POLLS = 6;

const owned = new AsyncDisposableStack();
let started: ReturnType<typeof start> | null = null;

async function start() {
  const postgresql = owned.use(await TestPostgresql.start(COUNTING));
  const place = await postgresql.makeDatabase();
  const settings = { PLANS: JSON.stringify(PLANS) };
  const fleet = owned.use(await startPostgresqlFleet({ place, settings }));
  const statements = owned.use(await countStatements(place));
  return { fleet, place, statements };
}

after(() => owned.disposeAsync());

suite("statements of three nodes", { skip: NO_POSTGRESQL }, () => {
  test("a quota that is hammered on all nodes is given to the last answer, with at most one for ten answers", async (t) => {
    const { fleet, statements } = await (started ??= start());
    let before = 0;
    for (const [plan, { monthlyQuota }] of Object.entries(PLANS)) {
      const key = await fleet.createKey(plan);
      const answers = new Answers();
      await statements.reset();
      await hammer(
        fleet.nodes,
        key,
        answers,
        () => answers.given >= monthlyQuota,
      );
      const counted = await statements.counted();
      await hammer(
        fleet.nodes,
        key,
        answers,
        () => answers.refusedInARow >= REFUSALS,
      );
      const all = sum(counted);
      const byTime = sum(counted, BY_TIME);
      t.diagnostic(
        `${plan}: ${JSON.stringify(answers.counts)} for a quota of ${monthlyQuota}, with ${all} statements, ${byTime} of them by time`,
      );
      assert.equal(answers.given, monthlyQuota);
      assert.ok(all - byTime <= monthlyQuota / 10, JSON.stringify(counted));
      await until("usage to be written", async () => {
        const { used } = await fleet.usage();
        return used >= before + monthlyQuota;
      });
      before += monthlyQuota;
      assert.equal((await fleet.usage()).used, before);
    }
  });

  test("no key is read when it is used, and none waits for a locked table", async (t) => {
    const { fleet, place, statements } = await (started ??= start());
    const { nodes } = fleet;
    const keys: string[] = [];
    for (let key = 0; key < KEYS; key++) keys.push(await fleet.createKey());
    const answers = new Answers();
    const askOnEachNode = async () => {
      for (const key of keys) {
        const enough = answers.given + nodes.length;
        for (const node of nodes) await askOnce(node, key, answers);
        assert.equal(answers.given, enough);
      }
    };
    await statements.reset();
    await askOnEachNode();
    await until(
      "the feed to be read",
      async () => sum(await statements.counted(), FEED) >= POLLS * nodes.length,
    );
    const client = new Client({ connectionString: place.url });
    await client.connect();
    try {
      await client.query("BEGIN");
      await client.query("LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE");
      await askOnEachNode();
    } finally {
      await client.end();
    }
    const counted = await statements.counted();
    const polls = sum(counted, FEED);
    const reads = sum(counted, READ);
    t.diagnostic(
      `${KEYS} keys, used on each node at first and again during a lock: ${JSON.stringify(answers.counts)}; ${polls} statements of the feed, ${reads} of keys`,
    );
    assert.equal(reads, 0, JSON.stringify(counted));
  });
});

function sum(counted: readonly CountedStatement[], pattern = /(?:)/): number {
  return counted
    .filter(({ text }) => pattern.test(text))
    .reduce((total, { calls }) => total + calls, 0);
}
