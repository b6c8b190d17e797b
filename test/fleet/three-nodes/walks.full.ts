import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { BalancedClient, HAPROXY_KIND } from "../../support/fleet/balancer.ts";
import { startPostgresqlFleet } from "../../support/fleet/postgresql-fleet.ts";
import { atPace } from "../../support/pure/pace.ts";
import { until } from "../../support/pure/until.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../../support/postgresql/postgresql.ts";

const WALK = "/v1/providers/search?entity_type=individual&limit=100";
/** How many providers each publication has, other than the first one. */
const PUBLICATIONS = [3_200, 2_900, 3_100];
/** After how many milliseconds a request for a snapshot that a node does not serve yet is sent again. */
const AGAIN_MS = 50;
/** Between two walks. */
const PAUSE_MS = 400;
const WITHIN_MS = 120_000;

interface Page {
  readonly status: number;
  readonly snapshot: string | null;
  readonly body: {
    readonly data: readonly { readonly npi: string }[];
    readonly error?: { readonly code: string };
    readonly meta: { readonly total: number };
  };
}

type Ask = (path: string) => Promise<Page>;

/** A walk through all pages of a search. */
interface Walk {
  readonly snapshot: string;
  /** The rows that the first page promised. */
  readonly total: number;
  readonly npis: readonly string[];
  /** True if it was ended by 412. */
  readonly isGone: boolean;
  /** How often a node was behind (503). */
  readonly behind: number;
}

/** Walks through the pages of the snapshot that the first one comes from. */
async function walk(ask: Ask): Promise<Walk> {
  const first = await ask(WALK);
  assert.equal(first.status, 200, JSON.stringify(first));
  const { snapshot } = first;
  assert.ok(snapshot !== null);
  const { total } = first.body.meta;
  const npis = first.body.data.map(({ npi }) => npi);
  let behind = 0;
  for (let page = 2; ;) {
    const next = await ask(`${WALK}&page=${page}&snapshot=${snapshot}`);
    const walked = { snapshot, total, npis, behind };
    const { body, status } = next;
    if (status === 503 && body.error?.code === "snapshot_behind") {
      behind++;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      continue;
    }
    if (status === 412 && body.error?.code === "snapshot_gone")
      return { ...walked, isGone: true };
    assert.equal(status, 200, JSON.stringify(next));
    assert.equal(next.snapshot, snapshot);
    if (body.data.length === 0) return { ...walked, isGone: false };
    npis.push(...body.data.map(({ npi }) => npi));
    page++;
  }
}

suite(
  "walks through all pages while publications are pulled and activated",
  { skip: NO_POSTGRESQL || HAPROXY_KIND.missing },
  () => {
    test("have every row once, or end with 412, behind haproxy.cfg and on three nodes in turn", async (t) => {
      const place = await (await postgresqlOfRun()).makeDatabase();
      await using fleet = await startPostgresqlFleet({ place });
      const { nodes } = fleet;
      await using balancer = await HAPROXY_KIND.start(fleet);
      using client = new BalancedClient(balancer.host);
      const headers = { authorization: `Bearer ${await fleet.createKey()}` };
      const behindBalancer: Ask = async (path) => {
        const answer = await client.send(path, headers);
        const { snapshot } = answer.headers;
        return {
          status: answer.status,
          snapshot: typeof snapshot === "string" ? snapshot : null,
          body: JSON.parse(answer.body.toString()),
        };
      };
      let turn = 0;
      const inTurn: Ask = async (path) => {
        const node = nodes[turn++ % nodes.length];
        const answer = await fetch(`http://${node?.address}${path}`, {
          headers,
        });
        return {
          status: answer.status,
          snapshot: answer.headers.get("snapshot"),
          body: JSON.parse(await answer.text()),
        };
      };

      const walks: Walk[] = [];
      const walkers = [behindBalancer, inTurn, inTurn].map((ask) =>
        atPace(PAUSE_MS, async () => void walks.push(await walk(ask))),
      );
      await until("walks", () => walks.length > walkers.length, WITHIN_MS);
      for (const providers of PUBLICATIONS) {
        const published = await fleet.publish(providers);
        const ofIt = () =>
          walks.filter(
            ({ isGone, snapshot }) => snapshot === published && !isGone,
          );
        await until(
          "walks of the publication",
          () => ofIt().length > walkers.length,
          WITHIN_MS,
        );
      }
      for (const walker of walkers) await walker.end();

      const complete = walks.filter(({ isGone }) => !isGone);
      const rows = complete.flatMap(({ npis }) => npis).length;
      const promised = complete.reduce((sum, { total }) => sum + total, 0);
      const distinct = complete.reduce(
        (sum, { npis }) => sum + new Set(npis).size,
        0,
      );
      const behind = walks.reduce((sum, each) => sum + each.behind, 0);
      t.diagnostic(
        `${complete.length} walks had ${rows} of ${promised} rows, ${rows - distinct} twice; ${walks.length - complete.length} ended with 412; ${behind} pages were requested again after 503`,
      );
      const known = new Map<string, readonly string[]>();
      for (const { npis, snapshot, total } of complete) {
        assert.equal(new Set(npis).size, npis.length);
        assert.equal(npis.length, total);
        assert.deepEqual(npis, known.get(snapshot) ?? npis);
        known.set(snapshot, npis);
      }
      assert.equal(known.size, 1 + PUBLICATIONS.length);
      // The snapshot before the current one is kept.
      const last = complete.at(-1)?.snapshot;
      for (const { isGone, snapshot } of walks)
        assert.ok(!isGone || snapshot !== last);
    });
  },
);
