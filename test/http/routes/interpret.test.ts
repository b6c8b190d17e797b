import assert from "node:assert/strict";
import { test } from "node:test";
import { badParameters, errorOf } from "../../support/program/http-error.ts";
import { startHttpService } from "../../support/service/http-service.ts";
import { portalParts } from "../../support/service/portal-parts.ts";
import { CROWD, SAMPLE } from "../../support/service/sample-directory.ts";

const PATH = "/v1/providers/interpret";

function pathOf(q: string): string {
  return `${PATH}?q=${encodeURIComponent(q)}`;
}

test("a text becomes an operation with filters and their total", async () => {
  await using service = await startHttpService();
  const answer = await service.get(pathOf("Mr N00* Testcase, Springfield IL"));
  assert.equal(answer.statusCode, 200);
  const { data, meta } = answer.json();
  assert.deepEqual(data, {
    operation: "search",
    filters: { name: "N00 Testcase", city: "Springfield", state: "IL" },
    understood: [
      { text: "N00* Testcase", filter: "name" },
      { text: "Springfield", filter: "city" },
      { text: "IL", filter: "state" },
    ],
    dropped: [{ text: "Mr", reason: "a title" }],
    alternatives: [
      {
        operation: "search",
        filters: { name: "n000 Testcase", city: "Springfield", state: "IL" },
        total: 1,
      },
    ],
    total: 10,
  });
  assert.ok(CROWD > 10);
  assert.equal(meta.source, "NPPES (CMS), full file 2026-11-09");
});

test("an NPI becomes a look-up, and nothing becomes nothing", async () => {
  await using service = await startHttpService();
  const dataOf = async (path: string) => (await service.get(path)).json().data;
  const nothing = {
    operation: null,
    filters: {},
    understood: [],
    dropped: [],
    alternatives: [],
    total: 0,
  };
  assert.deepEqual(await dataOf(pathOf(`npi ${SAMPLE.person}`)), {
    ...nothing,
    operation: "lookup",
    filters: { npi: SAMPLE.person },
    understood: [{ text: `npi ${SAMPLE.person}`, filter: "npi" }],
    total: 1,
  });
  const absent = await dataOf(pathOf(SAMPLE.absent));
  assert.deepEqual([absent.operation, absent.total], ["lookup", 0]);
  for (const path of [PATH, pathOf(" "), pathOf("?!"), pathOf("😀")])
    assert.deepEqual(await dataOf(path), nothing, path);
});

test("200 characters are read, and more are refused", async () => {
  await using service = await startHttpService();
  const { statusCode } = await service.get(pathOf("smith ".repeat(33)));
  assert.equal(statusCode, 200);
  const { body } = await service.get(pathOf("x".repeat(201)));
  assert.deepEqual(badParameters(body), ["q invalid_parameter"]);
});

test("it counts, needs a key, and has entity tags and a snapshot", async () => {
  await using service = await startHttpService();
  const first = await service.get(pathOf("springfield"));
  const { etag = "", snapshot = "" } = first.headers;
  const same = await service.get(pathOf("springfield"), {
    "if-none-match": etag,
  });
  assert.equal(same.statusCode, 304);
  const other = await service.get(
    `${pathOf("testcase")}&snapshot=${String(snapshot)}`,
  );
  assert.equal(other.statusCode, 200);
  assert.notEqual(other.headers.etag, etag);
  const remaining = "x-ratelimit-remaining";
  assert.equal(
    Number(first.headers[remaining]) - Number(other.headers[remaining]),
    1,
  );
  const gone = await service.get(
    `${pathOf("testcase")}&snapshot=20200101T000000000Z`,
  );
  assert.equal(errorOf(gone.body).code, "snapshot_gone");
  const refused = await service.ask({ url: pathOf("springfield") });
  assert.equal(refused.statusCode, 401);
});

test("the explorer's answer is the same", async () => {
  const portal = await portalParts({ explorer: "open", perSecond: 1_000 });
  await using service = await startHttpService({ portal });
  const path = pathOf("testcase in springfield");
  const { data } = (await service.get(path)).json();
  const explored = await service.ask({
    url: path.replace(PATH, "/explore/interpret"),
  });
  assert.deepEqual(explored.json().data, data);
});
