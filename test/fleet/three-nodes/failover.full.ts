import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { BalancedClient, HAPROXY_KIND } from "../../support/fleet/balancer.ts";
import { startPrimaryProxy } from "../../support/fleet/primary-proxy.ts";
import {
  type PostgresqlFleet,
  startPostgresqlFleet,
} from "../../support/fleet/postgresql-fleet.ts";
import {
  type SteadyLoad,
  steadyLoad,
} from "../../support/fleet/steady-load.ts";
import { until } from "../../support/pure/until.ts";
import { NO_POSTGRESQL } from "../../support/postgresql/postgresql.ts";
import { TestPostgresql } from "../../support/postgresql/postgresql-server.ts";
import { switchedAddress } from "../../support/postgresql/switched-address.ts";
import type { TestPlace } from "../../support/postgresql/test-databases.ts";

/** Requests a second. */
const RATE = 40;
const KEYS = 6;
const KILLS = 3;
const WITHIN_MS = 120_000;

suite(
  "three nodes behind haproxy.cfg, with synchronous replication",
  { skip: NO_POSTGRESQL || HAPROXY_KIND.missing },
  () => {
    test("behind haproxy-postgresql.cfg the primary is stopped and the standby promoted under load: no request fails, and each answer is counted once", async (t) => {
      await using primary = await TestPostgresql.start();
      const place = await primary.makeDatabase();
      await using proxy = await startPrimaryProxy(primary);
      const { standby } = proxy;
      await primary.replicateSynchronously();
      await using loaded = await startLoaded(proxy.through(place));
      const { load } = loaded;
      await primary.stop();
      await moreAnswers(load);
      const given = await promoted(standby, load);
      await written(loaded, standby.sameOn(place), given);
      await settle(loaded, standby.sameOn(place), t);
    });

    test("primaries are killed one after the other under load: no request fails, and each answer is counted once", async (t) => {
      let primary = await TestPostgresql.start();
      await using servers = new AsyncDisposableStack();
      servers.use(primary);
      const place = await primary.makeDatabase();
      await using address = await switchedAddress(primary);
      await using loaded = await startLoaded(address.through(place));
      const { load } = loaded;
      for (let kills = 0; kills < KILLS; kills++) {
        const standby = servers.use(await primary.startStandby());
        await primary.replicateSynchronously();
        await moreAnswers(load);
        await primary.kill();
        await moreAnswers(load);
        const given = await promoted(standby, load);
        address.leadTo(standby, { cut: true });
        await written(loaded, standby.sameOn(place), given);
        primary = standby;
      }
      await settle(loaded, primary.sameOn(place), t);
    });
  },
);

type Loaded = Awaited<ReturnType<typeof startLoaded>>;

/** A fleet behind the balancer under load. */
async function startLoaded(place: TestPlace) {
  await using owned = new AsyncDisposableStack();
  const fleet: PostgresqlFleet = owned.use(
    await startPostgresqlFleet({ place }),
  );
  const balancer = owned.use(await HAPROXY_KIND.start(fleet));
  const client = owned.use(new BalancedClient(balancer.host));
  const keys: string[] = [];
  for (let key = 0; key < KEYS; key++) keys.push(await fleet.createKey());
  const load = owned.use(steadyLoad(client, keys, RATE));
  await moreAnswers(load);
  const running = owned.move();
  return {
    fleet,
    load,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function moreAnswers(load: SteadyLoad): Promise<void> {
  const before = load.answered;
  await until("answers", () => load.answered > before + 3 * RATE, WITHIN_MS);
}

/** Promotes a standby; returns how many answers were given before. */
async function promoted(
  standby: TestPostgresql,
  load: SteadyLoad,
): Promise<number> {
  const { given } = load;
  await standby.promote();
  return given;
}

async function written(
  { fleet }: Loaded,
  place: TestPlace,
  given: number,
): Promise<void> {
  await until(
    `${given} answers to be written`,
    async () => (await fleet.usage(place)).answered >= given,
    WITHIN_MS,
  );
}

/** Ends the load and the nodes, and checks what is counted. */
async function settle(
  { fleet, load }: Loaded,
  place: TestPlace,
  t: TestContext,
): Promise<void> {
  await moreAnswers(load);
  assert.deepEqual(await load.end(), {});
  for (const node of fleet.nodes) await node.end("SIGTERM");
  const { answered, used } = await fleet.usage(place);
  t.diagnostic(`${load.given} answers, ${answered} counted, ${used} used`);
  assert.equal(answered, load.given);
  // What was prepaid when a server stopped counts as used.
  assert.ok(used >= answered);
}
