import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { BalancedClient, HAPROXY_KIND } from "../../support/fleet/balancer.ts";
import { startPostgresqlFleet } from "../../support/fleet/postgresql-fleet.ts";
import { steadyLoad } from "../../support/fleet/steady-load.ts";
import { until } from "../../support/pure/until.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../../support/postgresql/postgresql.ts";

/** Requests a second. */
const RATE = 30;
const KEYS = 12;
/** Longer than HAProxy takes to notice that a node is not ready. */
const DRAIN_SECONDS = 6;
/** How many times all nodes are restarted, one after the other. */
const RESTARTS = 4;
/** How many providers the publications have, in the order of the restarts during which they are made. */
const PUBLICATIONS = [3_100, 2_900, 3_200] as const;

suite(
  "three nodes over PostgreSQL behind haproxy.cfg",
  { skip: NO_POSTGRESQL || HAPROXY_KIND.missing },
  () => {
    test(`no request fails in ${RESTARTS} rolling restarts and ${PUBLICATIONS.length} publications under load, without retries, and each answer is counted once`, async (t) => {
      const place = await (await postgresqlOfRun()).makeDatabase();
      await using fleet = await startPostgresqlFleet({
        place,
        settings: { DRAIN_DELAY: String(DRAIN_SECONDS) },
      });
      const { nodes } = fleet;
      await using balancer = await HAPROXY_KIND.start(fleet, withoutRetries);
      using client = new BalancedClient(balancer.host);
      const keys: string[] = [];
      for (let key = 0; key < KEYS; key++) keys.push(await fleet.createKey());
      await using load = steadyLoad(client, keys, RATE);
      await until("answers", () => load.answered > RATE);
      for (let time = 0; time < RESTARTS; time++) {
        const providers = PUBLICATIONS[time];
        const published =
          providers === undefined ? null : fleet.publish(providers);
        for (const node of nodes) {
          await node.end("SIGTERM");
          await node.start();
        }
        await published;
      }
      const failures = await load.end();
      for (const node of nodes) await node.end("SIGTERM");
      const { answered, used } = await fleet.usage();
      t.diagnostic(
        `${load.given} answers in ${RESTARTS} rolling restarts, ${used} counted, failed: ${JSON.stringify(failures)}`,
      );
      assert.deepEqual(failures, {});
      assert.equal(used, load.given);
      assert.equal(answered, load.given);
    });
  },
);

function withoutRetries(text: string): string {
  const edited = text
    .replace("retries 3", "retries 0")
    .replace(/^ *retry-on .*$/m, "");
  assert.notEqual(edited, text);
  return edited;
}
