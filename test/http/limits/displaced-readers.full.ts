import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import test from "node:test";
import type { AnswerFacts } from "../../../src/http/pipeline/request-log.ts";
import { until } from "../../support/pure/until.ts";
import { issueKey } from "../../support/app/accounts-installation.ts";
import {
  startHttpService,
  type HttpService,
  type HttpServiceOptions,
} from "../../support/app/http-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";
import { organizations } from "../../support/pure/engine/sample-directory.ts";

const EXPORT = "/v1/providers/export";
const PLACES = 16;
const OF_ACCOUNT = 4;
const MANY = 1_200;
const ROUNDS = 200;
/** What an export counts as. */
const ANSWERS = MANY / 100;
/** An export or a visitor's download of 1,000 rows is more than the buffers of a connection take. */
const NAME = "OF EXAMPLE ".repeat(1_000);

let directory: ReturnType<typeof organizations> | null = null;

function longDirectory() {
  return (directory ??= organizations(MANY, (number) => ({
    organization: `INVENTED CLINIC ${number} ${NAME}`,
  })));
}

/** A service whose exports are long, and what it wrote down. */
async function start(options: HttpServiceOptions = {}) {
  await using owned = new AsyncDisposableStack();
  const lines: AnswerFacts[] = [];
  const counts: string[] = [];
  const service = owned.use(
    await startHttpService({
      answerLog: (facts) => lines.push(facts),
      answerCounts: {
        noteAnswer: (answered, status) => counts.push(`${answered} ${status}`),
        noteFailure: () => undefined,
        noteKeyRefused: () => undefined,
      },
      ...options,
    }),
  );
  service.data.directory = await longDirectory();
  const accepted: Socket[] = [];
  service.app.server.on("connection", (socket) => accepted.push(socket));
  const disconnect = () => {
    for (const socket of accepted) socket.destroy();
  };
  owned.defer(disconnect);
  const all = owned.move();
  return {
    accepted,
    counts,
    cuts: (cut: string | undefined) => lines.filter((line) => line.cut === cut),
    disconnect,
    lines,
    service,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

test("an account without an export takes the place of the slowest reader of those that have the most", async () => {
  await using running = await start();
  const { accepted, counts, cuts, service } = running;
  const [fast = "", newcomer = "", ...slow] = await keysOf(service, 5);
  const hogs: Socket[] = [];
  for (const key of slow)
    for (let place = 0; place < OF_ACCOUNT; place++)
      hogs.push(await begin(service, key));
  // Some read nothing, some a little.
  const trickle = setInterval(() => {
    for (const client of hogs.slice(0, 6)) client.read(2_048);
  }, 100);
  await areFull(accepted);
  const readers = await Promise.all(
    Array.from({ length: OF_ACCOUNT }, () => request(service, fast)),
  );
  const texts = readers.map(textOf);
  await Promise.all(readers.map((client) => once(client, "data")));
  const whole = await textOf(await request(service, newcomer));
  for (const text of [whole, ...(await Promise.all(texts))]) isWhole(text);
  clearInterval(trickle);
  assert.equal(cuts("displaced").length, 1);
  assert.equal(cuts(undefined).length, OF_ACCOUNT + 1);
  const rest = await Promise.allSettled(hogs.map(textOf));
  const cut = rest.filter(({ status }) => status === "rejected");
  assert.equal(cut.length, 1);
  for (const result of rest)
    if (result.status === "rejected")
      assert.equal(result.reason.code, "ECONNRESET");
    else assert.ok(result.value.endsWith("\r\n0\r\n\r\n"));
  await until("all to be counted", () => counts.length === PLACES + 1);
  assert.deepEqual([...new Set(counts)], ["export 200"]);
  // What was displaced counts as a whole.
  await service.write();
  for (const key of slow)
    assert.equal(
      await remaining(service, key),
      25_000 - OF_ACCOUNT * ANSWERS - 1,
    );
});

test("an account with one export keeps it, and displaces no other", async () => {
  await using running = await start();
  const { cuts, service } = running;
  const [single = "", ...keys] = await keysOf(service, 1 + PLACES);
  const only = await begin(service, single);
  const hogs = keys.splice(0, 4);
  for (const [index, key] of hogs.entries())
    for (let place = index === 0 ? 1 : 0; place < OF_ACCOUNT; place++)
      await begin(service, key);
  for (const [index, key] of keys.slice(0, 11).entries()) {
    assert.equal(await statusOf(service, key), 200);
    await until("one to be cut", () => cuts("displaced").length === index + 1);
    assert.equal(await statusOf(service, key), 503);
  }
  const ofHogs = Map.groupBy(cuts("displaced"), ({ account }) => account);
  assert.deepEqual(
    [...ofHogs.values()].map(({ length }) => length).toSorted((a, b) => a - b),
    [2, 3, 3, 3],
  );
  isWhole(await textOf(only));
});

// The full run only, because it takes a minute: slow readers lose what they have read ahead first.
test("slow downloads of visitors don't keep another network from its own for long", async () => {
  const portal = await portalParts({ explorer: "open", perSecond: 1_000 });
  await using running = await start({ portal, trustProxy: 1 });
  const { cuts, service } = running;
  const path = "/explore/search.ndjson";
  const ask = (network: number) =>
    send(service, path, `X-Forwarded-For: 198.51.100.${network}`);
  const hogs: Socket[] = [];
  for (let network = 0; network < PLACES; network++) {
    const client = await ask(network);
    await once(client, "readable");
    hogs.push(client);
  }
  const trickle = setInterval(() => {
    for (const client of hogs.slice(0, 6)) client.read(2_048);
  }, 1_000);
  const first = await textOf(await ask(PLACES));
  assert.match(
    first,
    /^HTTP\/1\.1 503 [^]*\r\nretry-after: 10\r\n[^]*"service_busy"/,
  );
  let text = "";
  await until("a place", async () => {
    text = await textOf(await ask(PLACES));
    return text.startsWith("HTTP/1.1 200 ");
  });
  clearInterval(trickle);
  isWhole(text, 1_000);
  assert.equal(cuts("displaced").length, 1);
});

test(`${ROUNDS} displaced readers leave nothing behind`, async () => {
  await using running = await start();
  const { counts, cuts, disconnect, lines, service } = running;
  const [newcomer = "", ...keys] = await keysOf(service, 5);
  let begun = 0;
  const fill = async () => {
    for (const key of keys)
      while ((await statusOf(service, key)) === 200) begun++;
  };
  await fill();
  assert.equal(begun, PLACES);
  for (let round = 1; round <= ROUNDS; round++) {
    const client = await begin(service, newcomer);
    begun++;
    client.destroy();
    await until(
      "its place to be free",
      () => cuts("client_gone").length === round,
    );
    assert.equal(cuts("displaced").length, round);
    await fill();
  }
  disconnect();
  await until("all to end", () => lines.length === counts.length);
  const ended = () => counts.filter((count) => count === "export 200").length;
  await until("all to be counted", () => ended() === begun);
  await fill();
  assert.equal(ended(), begun - PLACES);
  assert.equal(cuts("displaced").length, ROUNDS);
  disconnect();
  // Resolves once no export holds the data.
  const held = await longDirectory();
  held[Symbol.dispose]();
  await held.closed();
});

/** Keys of different accounts. */
async function keysOf(service: HttpService, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let account = 0; account < count; account++)
    keys.push(
      await issueKey(
        service.installation.accounts,
        `reader${account}@clinic.example`,
        "paid",
      ),
    );
  return keys;
}

/** Sends a request over a connection that reads nothing by itself. */
async function send(
  service: HttpService,
  path: string,
  header: string,
): Promise<Socket> {
  const port = await service.listen();
  service.installation.clock.nowMs += 1_000;
  const client = connect(port, "127.0.0.1");
  client.on("error", () => undefined);
  client.write(
    `GET ${path} HTTP/1.1\r\nHost: directory.example\r\nConnection: close\r\n${header}\r\n\r\n`,
  );
  return client;
}

function request(service: HttpService, key: string): Promise<Socket> {
  return send(service, EXPORT, `Authorization: Bearer ${key}`);
}

/** The same, once the answer has begun. */
async function begin(service: HttpService, key: string): Promise<Socket> {
  const client = await request(service, key);
  await once(client, "readable");
  return client;
}

/** The status of an export whose client reads nothing more. */
async function statusOf(service: HttpService, key: string): Promise<number> {
  const client = await begin(service, key);
  return Number(String(client.read(12)).slice(-3));
}

/** Waits until the buffers of connections are full, so that exports wait for their readers. */
function areFull(accepted: readonly Socket[]): Promise<void> {
  return until("the readers to be waited for", () =>
    accepted.every(({ writableLength }) => writableLength > 0),
  );
}

async function textOf(client: Socket): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of client) {
    assert.ok(piece instanceof Buffer);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function isWhole(text: string, rows = MANY): void {
  assert.ok(text.endsWith("\r\n0\r\n\r\n"));
  assert.equal(text.match(/\{"npi":/g)?.length, rows);
}

/** What an account has left after one more request. */
async function remaining(service: HttpService, key: string): Promise<number> {
  const { headers } = await service.get("/v1/providers/search?limit=1", {
    authorization: `Bearer ${key}`,
  });
  return Number(headers["x-ratelimit-remaining"]);
}
