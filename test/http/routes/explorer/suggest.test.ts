import assert from "node:assert/strict";
import { test } from "node:test";
import type { LeftOut } from "../../../../src/contract/explorer/suggest.ts";
import { startHttpService } from "../../../support/app/http-service.ts";
import { portalParts } from "../../../support/app/portal-parts.ts";
import { CROWD } from "../../../support/pure/engine/sample-directory.ts";

async function startOpen() {
  const portal = await portalParts({ explorer: "open" });
  return startHttpService({ portal });
}

test("a completion finds as many as when it is added to the search", async () => {
  await using service = await startOpen();
  const dataOf = async (url: string) => (await service.ask({ url })).json();
  const added = "/explore/suggest?q=testc&operation=search&name=other";
  const [first] = (await dataOf(`${added}&city=springfield`)).data;
  assert.deepEqual(first.filters, { name: "testcase" });
  const { meta } = await dataOf(
    "/explore/search?city=springfield&name=testcase",
  );
  assert.equal(first.total, meta.total);
  // Nothing that finds no one.
  assert.deepEqual((await dataOf(`${added}&status=deactivated`)).data, []);
  // A search by distance isn't counted, nor is one that can't be sent.
  for (const place of ["zip=62704", "radius=5"]) {
    const { data } = await dataOf(
      `/explore/suggest?q=testc&operation=nearby&${place}`,
    );
    assert.equal(data[0].total, undefined);
  }
});

test("what else a search may mean is what interpret says of its text", async () => {
  await using service = await startOpen();
  const dataOf = async (url: string) =>
    (await service.ask({ url })).json().data;
  const typed = "N00 Testcase, Springfield IL";
  const { alternatives, filters } = await dataOf(
    `/explore/interpret?q=${encodeURIComponent(typed)}`,
  );
  assert.ok(alternatives.length > 0);
  const asked = new URLSearchParams(filters).toString();
  const path = "/explore/alternatives?operation=";
  assert.deepEqual(
    await dataOf(`${path}search&${asked}&limit=5&page=2`),
    alternatives,
  );
  // Other parameters stay, and count.
  assert.deepEqual(
    await dataOf(`${path}search&${asked}&status=deactivated`),
    [],
  );
  const [active] = await dataOf(`${path}search&${asked}&status=active`);
  assert.equal(active.filters.status, "active");
  assert.equal(active.total, alternatives[0].total);
});

test("a search that finds no one says what it finds without each filter", async () => {
  await using service = await startOpen();
  const ask = async (query: string) =>
    (await service.ask({ url: `/explore/alternatives?${query}` })).json();
  const totalOf = async (path: string) => {
    const { meta } = (await service.ask({ url: `/explore/${path}` })).json();
    return meta.total;
  };
  const query = "name=testcase&taxonomy=999X00000X&state=il&status=active";
  assert.equal(await totalOf(`search?${query}`), 0);
  const { without } = await ask(query);
  assert.deepEqual(
    without.map(({ parameters }: LeftOut) => parameters.join()),
    ["taxonomy", "name"],
  );
  for (const { parameters, total } of without) {
    const rest = new URLSearchParams(query);
    for (const name of parameters) rest.delete(name);
    assert.ok(total > 0);
    assert.equal(
      total,
      await totalOf(`search?${rest.toString()}`),
      parameters.join(),
    );
  }
  // What is already offered isn't said twice. What says how to compare a place goes with it.
  const around =
    "operation=nearby&zip=99501&radius=5&first_name=maria&name_aliases=true&location_scope=any";
  const { data, without: others } = await ask(around);
  assert.deepEqual(others, []);
  assert.deepEqual(data, [
    {
      operation: "search",
      filters: { first_name: "maria", name_aliases: "true" },
      total: await totalOf("search?first_name=maria&name_aliases=true"),
    },
  ]);
  // If no single one is enough, several.
  const { without: several } = await ask(
    "name=testcase&state=mo&status=deactivated",
  );
  assert.deepEqual(several, [
    { parameters: ["status", "state"], total: CROWD },
  ]);
  // The only filter, and a search that finds someone, need none.
  for (const other of ["name=xqxqxq", "name=testcase", "status=active"])
    assert.deepEqual((await ask(other)).without, [], other);
  // It stays within a few searches, whatever is asked.
  const all = await ask(
    `${query}&zip=62704&specialty=nurse&entity_type=individual&last_updated_since=2001-01-01&last_name=smith&first_name=john&organization=clinic`,
  );
  assert.ok(all.without.length <= 5);
});

test("a list does not wait behind many alternatives", async () => {
  await using service = await startOpen();
  const answered: string[] = [];
  const ask = async (path: string): Promise<void> => {
    const { statusCode } = await service.ask({ url: `/explore/${path}` });
    assert.equal(statusCode, 200);
    answered.push(path);
  };
  const many = Array.from({ length: 30 }, (_, index) =>
    ask(`alternatives?name=testcsae${index}`),
  );
  await Promise.all([...many, ask("search")]);
  assert.ok(answered.indexOf("search") < 15, answered.join(" "));
});
