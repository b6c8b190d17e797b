import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf } from "../../support/pure/http-error.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";

const PATH = "/v1/providers/interpret";

function pathOf(q: string): string {
  return `${PATH}?q=${encodeURIComponent(q)}`;
}

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
