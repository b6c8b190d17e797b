import assert from "node:assert/strict";
import test from "node:test";
import type { TaxonomyEntry } from "../../../src/contract/answers.ts";
import { badParameters, errorOf } from "../../support/program/http-error.ts";
import { START_MS } from "../../support/service/accounts-installation.ts";
import { CROWD } from "../../support/service/sample-directory.ts";
import { startHttpService } from "../../support/service/http-service.ts";

const LIST = "/v1/taxonomies";
const SOURCE = "NPPES (CMS), full file 2026-11-09";

const FAMILY: TaxonomyEntry = {
  code: "207Q00000X",
  description: "Family Medicine Physician",
  grouping: null,
  classification: null,
  specialization: null,
  active_providers: {
    // The crowd and the person; the deactivated one isn't counted.
    primary: { individuals: CROWD + 1, organizations: 1 },
    any: { individuals: CROWD + 1, organizations: 1 },
  },
};
const UNNAMED: TaxonomyEntry = {
  code: "999X00000X",
  description: null,
  grouping: null,
  classification: null,
  specialization: null,
  active_providers: {
    primary: { individuals: 0, organizations: 1 },
    any: { individuals: 1, organizations: 1 },
  },
};

test("the list has all taxonomies with their counts, a page at a time, with links", async () => {
  await using service = await startHttpService();
  const all = await service.get(LIST);
  assert.equal(all.statusCode, 200);
  assert.deepEqual(all.json(), {
    data: [FAMILY, UNNAMED],
    meta: { count: 2, page: 1, limit: 25, total: 2 },
  });
  assert.equal(all.headers.link, `<${LIST}?page=1>; rel="first"`);
  const second = await service.get(`${LIST}?limit=1&page=2`);
  assert.deepEqual(second.json(), {
    data: [UNNAMED],
    meta: { count: 1, page: 2, limit: 1, total: 2 },
  });
  assert.equal(
    second.headers.link,
    `<${LIST}?limit=1&page=1>; rel="first", <${LIST}?limit=1&page=1>; rel="prev"`,
  );
  const first = await service.get(`${LIST}?limit=1`);
  assert.match(String(first.headers.link), /<[^>]*page=2>; rel="next"/);
  const beyond = await service.get(`${LIST}?limit=1&page=9007199254740991`);
  assert.deepEqual(beyond.json().data, []);
  assert.equal(beyond.json().meta.total, 2);
});

test("q finds taxonomies by starts of words in the name, and of the code", async () => {
  await using service = await startHttpService();
  for (const [q, codes] of [
    ["fam", [FAMILY.code]],
    ["FAMILY+phys", [FAMILY.code]],
    ["fám", [FAMILY.code]],
    ["207q", [FAMILY.code]],
    ["999x00000x", [UNNAMED.code]],
    ["amily", []],
    ["", [FAMILY.code, UNNAMED.code]],
  ] as const) {
    const { data, meta } = (
      await service.get(`${LIST}?q=${encodeURI(q)}`)
    ).json();
    assert.deepEqual(
      data.map(({ code }: TaxonomyEntry) => code),
      codes,
      q,
    );
    assert.equal(meta.total, codes.length);
  }
});

test("a taxonomy is found by its code in any case", async () => {
  await using service = await startHttpService();
  for (const code of ["207Q00000X", "207q00000x"]) {
    const { body } = await service.get(`${LIST}/${code}`);
    assert.deepEqual(JSON.parse(body), {
      data: FAMILY,
      meta: { source: SOURCE },
    });
  }
});

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
  assert.equal(absent.headers["cache-control"], "private");
  assert.equal(await left(), before - 2);
  for (const code of [
    "207Q",
    "207Q00000XX",
    "207Q-0000X",
    "%C3%A907Q00000",
    "%00207Q0000",
  ]) {
    const { body, statusCode } = await service.get(`${LIST}/${code}?verbose=1`);
    assert.equal(statusCode, 400, code);
    if (code.startsWith("%00")) continue;
    assert.deepEqual(badParameters(body), [
      "code invalid_parameter",
      "verbose invalid_parameter",
    ]);
    assert.equal(
      errorOf(body).message,
      "code must be a taxonomy code of 10 letters and digits.",
    );
  }
  assert.equal(await left(), before - 3);
  for (const path of [`${LIST}/`, `${LIST}/207Q00000X/`]) {
    const { body } = await service.get(path);
    assert.equal(errorOf(body).code, "not_found", path);
  }
});

test("bad parameters are all listed", async () => {
  await using service = await startHttpService();
  const { body } = await service.get(
    `${LIST}?q=--&limit=101&page=0&snapshot=x&name=smith&q=a`,
  );
  assert.deepEqual(badParameters(body), [
    "q invalid_parameter",
    "limit invalid_parameter",
    "page invalid_parameter",
    "snapshot invalid_parameter",
    "name invalid_parameter",
  ]);
  const long = await service.get(`${LIST}?q=${"a".repeat(101)}`);
  assert.deepEqual(badParameters(long.body), ["q invalid_parameter"]);
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
