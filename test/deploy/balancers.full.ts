import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { suite, test } from "node:test";
import {
  BalancedClient,
  type Balancer,
  HAPROXY_KIND,
  NGINX_KIND,
} from "../support/fleet/balancer.ts";
import { balanced } from "../support/fleet/balanced-fleet.ts";
import { until } from "../support/pure/until.ts";

const LOOKUP = "/v1/providers/search?limit=1";
/** Guessed keys of one address in a minute. */
const MAX_GUESSES = 60;

/** The nodes that answered since a balancer had logged a number of lines, once it has logged `count` more. */
async function nodesSince(balancer: Balancer, before: number, count: number) {
  await until(
    "the balancer's log",
    () => balancer.log().length >= before + count,
  );
  return balancer
    .log()
    .slice(before)
    .map(({ node }) => node);
}

for (const [index, kind] of [HAPROXY_KIND, NGINX_KIND].entries())
  suite(`behind ${kind.name}`, { skip: kind.missing }, () => {
    test("all requests with one key go to one node, and keys are spread over all nodes", async () => {
      await using here = await balanced(kind);
      const { balancer, client, keys } = here;
      const served = new Set<number | null>();
      for (const key of keys) {
        const before = balancer.log().length;
        for (let times = 0; times < 4; times++) {
          const authorization = `Bearer ${key}`;
          const { status } = await client.send(LOOKUP, { authorization });
          assert.equal(status, 200);
        }
        const nodes = new Set(await nodesSince(balancer, before, 4));
        assert.equal(nodes.size, 1, [...nodes].join());
        for (const node of nodes) served.add(node);
      }
      assert.deepEqual(served, new Set([1, 2, 3]));
    });

    test("clients without a key are spread by address", async () => {
      await using here = await balanced(kind);
      const { balancer, network } = here;
      const served = new Set<number | null>();
      for (let number = 100; number < 160; number++) {
        using client = new BalancedClient(balancer.host, `${network}${number}`);
        const before = balancer.log().length;
        for (let times = 0; times < 3; times++)
          assert.equal((await client.send("/v1/status")).status, 200);
        const nodes = new Set(await nodesSince(balancer, before, 3));
        assert.equal(nodes.size, 1, [...nodes].join());
        for (const node of nodes) served.add(node);
      }
      assert.deepEqual(served, new Set([1, 2, 3]));
    });

    test("nodes see the client's address, whatever the client says", async () => {
      await using here = await balanced(kind);
      const { balancer, network } = here;
      using guesser = new BalancedClient(
        balancer.host,
        `${network}${201 + index}`,
      );
      using other = new BalancedClient(
        balancer.host,
        `${network}${211 + index}`,
      );
      const authorization = `Bearer guess-for-${kind.name}`;
      const guess = async (client: BalancedClient, number: number) => {
        const { status } = await client.send(LOOKUP, {
          authorization,
          "x-forwarded-for": `192.0.2.${number}`,
        });
        return status;
      };
      for (let guesses = 0; guesses < MAX_GUESSES; guesses++)
        assert.equal(await guess(guesser, guesses), 401);
      assert.equal(await guess(guesser, 99), 429);
      assert.equal(await guess(other, 99), 401);
    });

    test("headers of an answer pass unchanged, and a conditional request gets 304", async () => {
      await using here = await balanced(kind);
      const { client, keys, nodes } = here;
      const headers = {
        authorization: `Bearer ${keys[0]}`,
        origin: "https://app.example",
        "x-request-id": "a-request",
        // The balancer's own connection to the node is none of the client's.
        connection: "keep-alive",
      };
      const through = await client.send(LOOKUP, headers);
      const direct = await fetch(`http://${nodes[0]?.address}${LOOKUP}`, {
        headers,
      });
      assert.equal(through.body.toString(), await direct.text());
      const passed = [...direct.headers.keys()].filter(
        (name) =>
          !/^(?:connection|date|keep-alive|(?:x-)?ratelimit.*)$/.test(name),
      );
      for (const name of [
        "access-control-allow-origin",
        "access-control-expose-headers",
        "etag",
        "snapshot",
        "x-request-id",
      ])
        assert.ok(passed.includes(name), name);
      for (const name of passed)
        assert.equal(through.headers[name], direct.headers.get(name), name);
      const { etag } = through.headers;
      assert.ok(typeof etag === "string");
      const again = await client.send(LOOKUP, {
        ...headers,
        "if-none-match": etag,
      });
      assert.equal(again.status, 304);
      assert.equal(again.headers["etag"], etag);
      assert.equal(again.headers["snapshot"], through.headers["snapshot"]);
      const preflight = await client.send(
        LOOKUP,
        {
          origin: headers.origin,
          "access-control-request-method": "GET",
          "access-control-request-headers": "authorization",
        },
        "OPTIONS",
      );
      assert.match(
        String(preflight.headers["access-control-allow-headers"]),
        /authorization/i,
      );
    });

    test("the longest URL and headers that the service takes pass", async () => {
      await using here = await balanced(kind);
      const { client, nodes } = here;
      const path = `/v1/providers/search?name=${"x".repeat(8_192 - 26)}`;
      const headers = { "x-padding": "y".repeat(7_000) };
      const { status, body } = await client.send(path, headers);
      const direct = await fetch(`http://${nodes[0]?.address}${path}`, {
        headers,
      });
      assert.equal(status, direct.status);
      assert.equal(status, 401, body.toString());
    });

    test("the log has no key and no query", async () => {
      await using here = await balanced(kind);
      const { balancer, client, keys } = here;
      const before = balancer.log().length;
      await client.send("/v1/providers/search?name=quincy", {
        authorization: `Bearer ${keys[1]}`,
      });
      await nodesSince(balancer, before, 1);
      const [line = ""] = balancer
        .log()
        .slice(before)
        .map((each) => each.line);
      assert.match(line, /\/v1\/providers\/search/);
      assert.doesNotMatch(line, /quincy|pd_live|Bearer/);
    });

    test("a request that a node took and did not answer is sent to another one only if that is safe", async () => {
      await using stubs = await startStubs();
      await using balancer = await kind.start(stubs);
      using client = new BalancedClient(balancer.host);
      await client.send("/v1/status");
      assert.ok(stubs.taken("GET").length > 1);
      // HAProxy closes the connection if the node's was used before, as the node itself would.
      await client.send("/v1/webhooks", {}, "POST").catch(() => null);
      assert.equal(stubs.taken("POST").length, 1);
    });
  });

/** Three servers that are ready, and close the connection of every other request. */
async function startStubs() {
  const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.`;
  const taken: string[] = [];
  const hosts = [11, 12, 13].map((number) => `${network}${number}`);
  const servers = hosts.map((host) =>
    createServer((request, response) => {
      const { method = "", socket, url = "" } = request;
      if (url === "/readyz" || url === "/healthz") {
        response.end();
        return;
      }
      taken.push(method);
      socket.destroy();
    }).listen(8080, host),
  );
  await Promise.all(servers.map((server) => once(server, "listening")));
  return {
    network,
    nodes: hosts.map((host) => ({ address: `${host}:8080` })),
    taken: (method: string) => taken.filter((each) => each === method),
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((closed) => server.close(closed));
      }
    },
  };
}
