import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import {
  BalancedClient,
  HAPROXY_KIND,
  NGINX_KIND,
} from "../support/fleet/balancer.ts";
import { builtFolder } from "../../src/build/built-folder.ts";
import { readBuild } from "../../src/http/pages/site-files.ts";
import { startHttpService } from "../support/app/http-service.ts";
import { portalCheckout } from "../support/program/portal-checkout.ts";
import { portalParts } from "../support/app/portal-parts.ts";

/** Clients, by address. */
const CLIENTS = 8;

/** A build of a portal whose app says something, in several files. */
async function build(owned: AsyncDisposableStack, says: string) {
  const checkout = owned.use(
    portalCheckout(
      `import "./styles/base.css";\nconsole.log(${JSON.stringify(says)});`,
    ),
  );
  const { code, err } = await checkout.build();
  assert.equal(code, 0, err);
  const folder = builtFolder("portal", checkout.path)!;
  const assets = readdirSync(join(folder, "assets"))
    .filter((name) => !/\.(?:br|gz)$/.test(name))
    .map((name) => `/assets/${name}`);
  return { assets, folder };
}

/** Three nodes at addresses of this machine, of which the last one has the new version's portal. */
async function startMixed() {
  const owned = new AsyncDisposableStack();
  const [old, fresh] = [await build(owned, "old"), await build(owned, "new")];
  const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.`;
  const nodes: { address: string }[] = [];
  const asked: string[] = [];
  for (const [index, { folder }] of [old, old, fresh].entries()) {
    const portal = await portalParts({ build: readBuild(folder) });
    const { app } = owned.use(await startHttpService({ portal }));
    const host = `${network}${11 + index}`;
    app.server.on("request", ({ url = "" }) => void asked.push(url));
    await app.listen({ host, port: 8080 });
    nodes.push({ address: `${host}:8080` });
  }
  return { asked, fresh, network, nodes, old, owned };
}

let started: ReturnType<typeof startMixed> | null = null;

after(async () => {
  const mixed = await started;
  await mixed?.owned.disposeAsync();
});

for (const kind of [HAPROXY_KIND, NGINX_KIND])
  suite(
    `behind ${kind.name}, with nodes of two versions`,
    { skip: kind.missing },
    () => {
      test("every file of both versions' pages is found, whichever node a client gets", async () => {
        const mixed = await (started ??= startMixed());
        const { fresh, network, nodes, old } = mixed;
        const assets = [...new Set([...old.assets, ...fresh.assets])];
        assert.ok(assets.length > old.assets.length);
        // No node has all of them.
        for (const [index, { address }] of nodes.entries()) {
          const other = index < 2 ? fresh.assets : old.assets;
          const own = index < 2 ? old.assets : fresh.assets;
          const missing = other.find((path) => !own.includes(path));
          const { status } = await fetch(`http://${address}${missing}`);
          assert.equal(status, 404);
        }
        await using balancer = await kind.start(mixed);
        await Promise.all(
          Array.from({ length: CLIENTS }, async (_, number) => {
            using client = new BalancedClient(
              balancer.host,
              `${network}${100 + number}`,
            );
            const answers = await Promise.all(
              assets.map(
                async (path) => [path, await client.send(path)] as const,
              ),
            );
            for (const [path, { headers, status }] of answers) {
              assert.equal(status, 200, path);
              assert.match(String(headers["cache-control"]), /immutable/, path);
            }
          }),
        );
      });

      test("a file that no node has is not found, after each node was asked, and not cached", async () => {
        const mixed = await (started ??= startMixed());
        await using balancer = await kind.start(mixed);
        using client = new BalancedClient(balancer.host);
        const path = `/assets/no-${kind.name}.js`;
        const { headers, status } = await client.send(path);
        assert.equal(status, 404);
        assert.equal(headers["cache-control"], "no-store");
        const times = mixed.asked.filter((url) => url === path).length;
        assert.ok(times === 3 || times === 4, `${times}`);
      });

      test("any other path that is not found is requested once", async () => {
        const mixed = await (started ??= startMixed());
        await using balancer = await kind.start(mixed);
        using client = new BalancedClient(balancer.host);
        const path = `/v1/nothing-${kind.name}`;
        assert.equal((await client.send(path)).status, 404);
        assert.equal(mixed.asked.filter((url) => url === path).length, 1);
      });
    },
  );
