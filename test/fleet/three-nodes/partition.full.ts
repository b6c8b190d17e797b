import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  type Balancer,
  BalancedClient,
  HAPROXY_KIND,
} from "../../support/fleet/balancer.ts";
import { Answers, hammer } from "../../support/fleet/hammer.ts";
import { startPostgresqlFleet } from "../../support/fleet/postgresql-fleet.ts";
import { steadyLoad } from "../../support/fleet/steady-load.ts";
import { until } from "../../support/pure/until.ts";
import { NO_POSTGRESQL } from "../../support/postgresql/postgresql.ts";
import { TestPostgresql } from "../../support/postgresql/postgresql-server.ts";
import { switchedAddress } from "../../support/postgresql/switched-address.ts";

/** Requests a second. */
const RATE = 30;
const KEYS = 12;
const QUOTA = 1_000;
const PLANS = JSON.stringify({
  free: { monthlyQuota: QUOTA, burstPerSecond: QUOTA },
  paid: { monthlyQuota: 1_000_000_000, burstPerSecond: 100_000 },
});
const GRACE_SECONDS = 40;
/** How long before the end of its grace a node leaves: longer than HAProxy takes to notice. */
const DRAIN_SECONDS = 15;
const REFUSALS = 100;
/** A quarter of a node's share of the quota. */
const MOST_LOST = QUOTA / 12;
const WITHIN_MS = 180_000;

suite(
  "a node that PostgreSQL is out of reach for",
  { skip: NO_POSTGRESQL || HAPROXY_KIND.missing },
  () => {
    test("leaves the pool before its grace ends and comes back, with every answer counted once and no quota exceeded", async (t) => {
      await using postgresql = await TestPostgresql.start();
      const place = await postgresql.makeDatabase();
      await using address = await switchedAddress(postgresql);
      await using fleet = await startPostgresqlFleet({
        place,
        placeOf: (index) => (index === 0 ? address.through(place) : place),
        settings: {
          DATABASE_GRACE: String(GRACE_SECONDS),
          DRAIN_DELAY: String(DRAIN_SECONDS),
          PLANS,
          QUOTA_WHEN_AWAY: "strict",
        },
      });
      const { nodes } = fleet;
      const [apart] = nodes;
      assert.ok(apart !== undefined);
      await using balancer = await HAPROXY_KIND.start(fleet);
      using client = new BalancedClient(balancer.host);
      const keys: string[] = [];
      for (let key = 0; key < KEYS; key++) keys.push(await fleet.createKey());
      const limited = await fleet.createKey("free");
      await using load = steadyLoad(client, keys, RATE);
      await until("answers of the node", () => isServing(balancer), WITHIN_MS);
      const answers = new Answers();
      const refused = () => answers.refusedInARow >= REFUSALS;
      await hammer(nodes, limited, answers, () => answers.given >= 200);

      address.split();
      await hammer([apart], limited, answers, refused);
      const others = nodes.slice(1);
      await until(
        "the node to be not ready",
        async () => (await apart.unreadyReason()) === "accounts_unavailable",
        WITHIN_MS,
      );
      await until("the node to leave", () => !isServing(balancer), WITHIN_MS);
      await hammer(others, limited, answers, refused);
      const without = answers.given;
      assert.ok(without <= QUOTA);

      address.rejoin();
      await until("the node to be back", () => isServing(balancer), WITHIN_MS);
      await hammer(nodes, limited, answers, refused);
      const failures = await load.end();
      t.diagnostic(
        `${load.given} answers through the balancer, failed: ${JSON.stringify(failures)}; ${without} of ${QUOTA} without the node; then ${JSON.stringify(answers.counts)}`,
      );
      // A payment whose answer was lost counts as used.
      assert.ok(answers.given <= QUOTA);
      assert.ok(answers.given >= QUOTA - MOST_LOST);
      await Promise.all(nodes.map((node) => node.end("SIGTERM")));
      const { answered, used } = await fleet.usage();
      assert.equal(answered, load.given + answers.given);
      assert.ok(used >= answered);
      // What strict means: nothing prepaid is left, and nothing can be prepaid. Known keys always work.
      for (const failure of Object.keys(failures))
        assert.match(failure, /^503 accounts_unavailable: The account's quota/);
    });
  },
);

/** True if the first node has some of the last answers. */
function isServing(balancer: Balancer): boolean {
  return balancer
    .log()
    .slice(-2 * KEYS)
    .some(({ node }) => node === 1);
}
