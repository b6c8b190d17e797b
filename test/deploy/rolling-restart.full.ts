import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  type BalancerKind,
  HAPROXY_KIND,
  NGINX_KIND,
} from "../support/fleet/balancer.ts";
import { balanced } from "../support/fleet/balanced-fleet.ts";
import { steadyLoad } from "../support/fleet/steady-load.ts";
import { until } from "../support/pure/until.ts";

/** Requests a second. */
const RATE = 30;

for (const kind of [HAPROXY_KIND, NGINX_KIND])
  suite(`behind ${kind.name}`, { skip: kind.missing }, () => {
    test("no request fails when a node is killed under load", async () => {
      await using here = await balanced(kind);
      const { balancer, client, keys, nodes } = here;
      await using load = steadyLoad(client, keys, RATE);
      await until("answers", () => load.answered > RATE);
      const node = nodes[0];
      assert.ok(node !== undefined);
      await node.end("SIGKILL");
      const before = load.answered;
      await until(
        "answers without the node",
        () => load.answered > before + 5 * RATE,
      );
      assert.equal(
        balancer
          .log()
          .slice(-RATE)
          .some((each) => each.node === 1),
        false,
      );
      await node.start();
      await until("answers of the node", () =>
        balancer
          .log()
          .slice(-RATE)
          .some((each) => each.node === 1),
      );
      assert.deepEqual(await load.end(), {});
    });

    test("no request fails while all nodes are restarted one by one under load", () =>
      restartAll(kind));
  });

async function restartAll(kind: BalancerKind): Promise<void> {
  await using here = await balanced(kind);
  const { client, keys, nodes } = here;
  await using load = steadyLoad(client, keys, RATE);
  await until("answers", () => load.answered > RATE);
  for (const node of nodes) {
    await node.end("SIGTERM");
    await node.start();
  }
  assert.deepEqual(await load.end(), {});
}
