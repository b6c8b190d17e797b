import assert from "node:assert/strict";
import test from "node:test";
import { listsTag } from "../../../src/http/pipeline/conditional.ts";
import { installOver } from "../../support/app/accounts-installation.ts";
import { suiteOnBothInFull } from "../../support/postgresql/on-both.ts";
import { errorOf } from "../../support/pure/http-error.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import {
  SAMPLE,
  sampleDirectory,
} from "../../support/pure/engine/sample-directory.ts";

const LOOKUP = `/v1/providers/${SAMPLE.person}`;
const URLS = [
  LOOKUP,
  "/v1/providers/search?state=IL&limit=5",
  "/v1/providers/nearby?zip=62701&limit=5",
];

test("the tag is the same for every encoding and for HEAD, and differs between requests", async () => {
  await using service = await startHttpService();
  const tags = new Set<string>();
  for (const url of [...URLS, `/v1/providers/${SAMPLE.organization}`]) {
    const { etag = "" } = (await service.get(url)).headers;
    tags.add(etag);
    for (const encoding of ["gzip", "br", "identity"]) {
      const { headers } = await service.get(url, {
        "accept-encoding": encoding,
      });
      assert.equal(headers.etag, etag);
    }
    const head = await service.ask({
      url,
      method: "HEAD",
      headers: { authorization: `Bearer ${service.paidKey}` },
    });
    assert.equal(head.headers.etag, etag);
  }
  assert.equal(tags.size, 4);
});

test("other content has other tags; another snapshot with the same content has the same", async () => {
  await using service = await startHttpService();
  const url = "/v1/providers/search?state=MO";
  const before = await service.get(url);
  const ifChanged = { "if-none-match": String(before.headers.etag) };
  service.data.directory = await sampleDirectory({
    id: "20261123T031500000Z",
    createdAt: "2026-11-23T03:15:00.123Z",
  });
  assert.equal((await service.get(url, ifChanged)).statusCode, 304);
  service.data.directory = await sampleDirectory({ rows: [] });
  const after = await service.get(url, ifChanged);
  assert.equal(after.statusCode, 200);
  assert.notEqual(after.headers.etag, before.headers.etag);
});

test("a list of changes, which depends on what led to the data, has other tags in another snapshot", async () => {
  await using service = await startHttpService();
  const before = await service.get("/v1/changes");
  service.data.directory = await sampleDirectory({ id: "20261123T031500000Z" });
  const after = await service.get("/v1/changes");
  assert.notEqual(after.headers.etag, before.headers.etag);
});

test("a matching If-None-Match is 304 without a body, with the headers of the answer and of the limits", async () => {
  await using service = await startHttpService();
  for (const url of URLS) {
    const { headers } = await service.get(url);
    const tag = String(headers.etag);
    for (const match of [
      tag,
      tag.slice(2),
      `"x", ${tag}`,
      `W/"x",${tag},"y"`,
    ]) {
      const answer = await service.get(url, { "if-none-match": match });
      assert.deepEqual(
        [match, answer.statusCode, answer.body],
        [match, 304, ""],
      );
      for (const name of ["etag", "last-modified", "cache-control", "vary"])
        assert.equal(answer.headers[name], headers[name]);
      assert.equal(answer.headers["content-type"], undefined);
      assert.notEqual(answer.headers["ratelimit"], undefined);
      const head = await service.ask({
        url,
        method: "HEAD",
        headers: {
          authorization: `Bearer ${service.paidKey}`,
          "if-none-match": match,
        },
      });
      assert.equal(head.statusCode, 304);
      // A length here would have to be that of the answer to GET (RFC 9110, 8.6).
      assert.equal(head.headers["content-length"], undefined);
    }
    const other = await service.get(url, { "if-none-match": 'W/"x"' });
    assert.equal(other.statusCode, 200);
  }
});

test("a 304 to a condition that anyone can send counts like the answer, so it reveals nothing for free", async () => {
  await using service = await startHttpService();
  const made = (await service.get(LOOKUP)).headers["last-modified"] ?? "";
  let remaining = 24_999;
  for (const method of ["GET", "HEAD"] as const)
    for (const npi of [SAMPLE.person, SAMPLE.organization, SAMPLE.absent])
      for (const condition of [
        { "if-none-match": "*" },
        { "if-modified-since": made },
        { "if-none-match": "*", "if-modified-since": made },
        { "if-none-match": `W/"1-20261116T031500000Z-${npi}"` },
        { "if-match": "*" },
        { "if-match": '"x"' },
        { "if-unmodified-since": made },
        { range: "bytes=0-0" },
        { range: "bytes=0-0", "if-range": made },
      ]) {
        service.installation.clock.nowMs += 1_000;
        const { headers } = await service.ask({
          url: `/v1/providers/${npi}`,
          method,
          headers: {
            authorization: `Bearer ${service.paidKey}`,
            ...condition,
          },
        });
        assert.deepEqual(
          [method, npi, condition, headers["x-ratelimit-remaining"]],
          [method, npi, condition, String(--remaining)],
        );
      }
});

test("above the quota, conditional requests are not answered", async () => {
  await using service = await startHttpService();
  const { headers } = await service.get(LOOKUP, {
    authorization: `Bearer ${service.freeKey}`,
  });
  for (let asked = 1; asked < 1_000; asked++)
    await service.get(LOOKUP, {
      authorization: `Bearer ${service.freeKey}`,
      "if-none-match": "*",
    });
  for (const match of ["*", String(headers.etag)]) {
    const refused = await service.get(LOOKUP, {
      authorization: `Bearer ${service.freeKey}`,
      "if-none-match": match,
    });
    assert.equal(errorOf(refused.body).code, "quota_exceeded");
  }
});

suiteOnBothInFull("entity tags of an installation", (make) => {
  test("a tag reveals nothing about its request, and is the same on every machine of an installation but not elsewhere", async () => {
    await using service = await startHttpService({ install: make });
    await using machine = await startHttpService({
      install: () => installOver(service.installation.place),
    });
    await using elsewhere = await startHttpService();
    for (const url of [LOOKUP, ...URLS]) {
      const tag = (await service.get(url)).headers.etag;
      assert.match(String(tag), /^W\/"[\w-]{16}"$/);
      assert.doesNotMatch(String(tag), new RegExp(SAMPLE.person));
      assert.equal((await machine.get(url)).headers.etag, tag);
      assert.notEqual((await elsewhere.get(url)).headers.etag, tag);
    }
  });
});

test("tags are compared weakly and as a whole", () => {
  assert.equal(listsTag('W/"a-b"', "a-b"), true);
  assert.equal(listsTag('"a-b"', "a-b"), true);
  assert.equal(listsTag('"x" , W/"a-b"', "a-b"), true);
  assert.equal(listsTag("*", "a-b"), false);
  assert.equal(listsTag('W/"a-b-c"', "a-b"), false);
  assert.equal(listsTag("a-b", "a-b"), false);
  assert.equal(listsTag('"A-B"', "a-b"), false);
  assert.equal(listsTag("", "a-b"), false);
});
