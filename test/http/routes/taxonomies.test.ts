import assert from "node:assert/strict";
import test from "node:test";
import { errorOf } from "../../support/pure/http-error.ts";
import { START_MS } from "../../support/app/accounts-installation.ts";
import { startHttpService } from "../../support/app/http-service.ts";

const LIST = "/v1/taxonomies";
test("an unknown code is taxonomy_not_found and counts; a malformed one is invalid_parameter and is free", async () => {
  await using service = await startHttpService();
  const left = async () =>
    Number(
      (await service.get(LIST)).headers["x-ratelimit-remaining"] ?? Number.NaN,
    );
  const before = await left();
  const absent = await service.get(`${LIST}/207Q00000Y`);
  assert.equal(absent.statusCode, 404);
  assert.equal(errorOf(absent.body).code, "taxonomy_not_found");
  assert.equal(await left(), before - 2);
  await service.get(`${LIST}/207Q`);
  assert.equal(await left(), before - 3);
});

test("answers have entity tags and a snapshot, which a request can insist on", async () => {
  await using service = await startHttpService();
  for (const url of [LIST, `${LIST}/207Q00000X`]) {
    const { headers } = await service.get(url);
    const { etag = "", snapshot = "" } = headers;
    assert.equal(snapshot, "20261116T031500000Z");
    const same = await service.get(url, { "if-none-match": etag });
    assert.equal(same.statusCode, 304);
    const pinned = await service.get(`${url}?snapshot=${snapshot}`);
    assert.equal(pinned.statusCode, 200);
    const gone = await service.get(`${url}?snapshot=20200101T000000000Z`);
    assert.equal(errorOf(gone.body).code, "snapshot_gone");
  }
  const tags = new Set<unknown>();
  for (const url of ["", "?limit=1", "?q=fam", "?page=2", "/207Q00000X"])
    tags.add((await service.get(LIST + url)).headers.etag);
  assert.equal(tags.size, 5);
});

test("they need a key, and are counted as taxonomies", async () => {
  await using service = await startHttpService();
  for (const url of [LIST, `${LIST}/207Q00000X`]) {
    const { body } = await service.ask({ url });
    assert.equal(errorOf(body).code, "missing_api_key");
    assert.equal((await service.get(url)).statusCode, 200);
  }
  await service.write();
  const { accounts } = service.installation;
  const usage = await Promise.all(
    [1, 2].map((account) => accounts.usage.byDay(account, START_MS)),
  );
  assert.deepEqual(
    usage.flat().map(({ operation, used }) => [operation, used]),
    [["taxonomies", 2]],
  );
});
