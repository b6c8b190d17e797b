import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import test from "node:test";
import {
  DETAIL_PARTS,
  type DetailPart,
} from "../../../src/contract/detail-parts.ts";
import { badParameters, errorOf } from "../../support/pure/http-error.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import {
  npiOf,
  SmallRegistry,
} from "../../support/pure/registry/small-registry.ts";
import { importZip } from "../../support/pure/registry/registry-zip.ts";
import {
  FULL_PERIOD,
  WIDENED,
  widenedDirectory,
} from "../../support/pure/registry/widened-registry.ts";

const SEARCH = "/v1/providers/search";
const NEARBY = "/v1/providers/nearby";

/** The service over the widened registry, with the stored parts of it. */
async function startWidened(parts: readonly DetailPart[] = DETAIL_PARTS) {
  const owned = new AsyncDisposableStack();
  const registry = owned.use(new SmallRegistry());
  await importZip(registry, FULL_PERIOD, WIDENED, { details: new Set(parts) });
  const directory = owned.use(widenedDirectory(registry));
  const service = owned.use(await startHttpService());
  service.data.directory = directory;
  return {
    registry,
    service,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test("name_scope=any finds providers by other names, and results show the names of the records", async () => {
  await using widened = await startWidened();
  const { service } = widened;
  const narrow = (await service.get(`${SEARCH}?name=sunrise`)).json();
  assert.deepEqual(narrow.meta.total, 0);
  const wide = (
    await service.get(`${SEARCH}?name=sunrise&name_scope=ANY`)
  ).json();
  assert.equal(wide.meta.total, 1);
  assert.equal(wide.data[0].organization_name, "WESTERN INVENTED CLINIC");
  const near = `${NEARBY}?zip=60601&radius=500&name=sunrise&location_scope=any`;
  assert.deepEqual((await service.get(near)).json().data, []);
  const { data } = (await service.get(`${near}&name_scope=any`)).json();
  assert.deepEqual(
    data.map(({ npi }: { npi: string }) => npi),
    [wide.data[0].npi],
  );
  const formerly = await service.get(
    `${SEARCH}?last_name=maid&first_name=pat&name_scope=any`,
  );
  assert.equal(formerly.json().data[0].npi, npiOf(1));
});

test("taxonomy_scope=any finds providers by any taxonomy, in search and nearby", async () => {
  await using widened = await startWidened();
  const { service } = widened;
  for (const path of [`${SEARCH}?`, `${NEARBY}?zip=60601&`]) {
    const query = `${path}taxonomy=163W00000X`;
    const narrow = (await service.get(query)).json();
    assert.deepEqual(narrow.data, []);
    const wide = (await service.get(`${query}&taxonomy_scope=any`)).json();
    assert.equal(wide.data.length, 1);
    assert.equal(wide.data[0].npi, npiOf(1));
    assert.equal(wide.data[0].primary_taxonomy.code, "207Q00000X");
  }
});

test("location_scope=any finds providers at secondary locations, and every result says which location matched", async () => {
  await using widened = await startWidened();
  const { service } = widened;
  const url = `${NEARBY}?zip=60601&entity_type=organization`;
  const narrow = (await service.get(url)).json();
  assert.equal(narrow.data.length, 1);
  assert.ok(!("matched_location" in narrow.data[0]));
  const { data } = (await service.get(`${url}&location_scope=any`)).json();
  assert.deepEqual(
    data.map(({ npi }: { npi: string }) => npi),
    [npiOf(2), npiOf(3)],
  );
  assert.equal(data[0].city, "TORONTO");
  assert.deepEqual(data[0].matched_location, {
    kind: "secondary",
    address: {
      address_1: "7 FURTHER ST",
      address_2: null,
      city: "CHICAGO",
      state: "IL",
      postal_code: "606011234",
      country: "US",
    },
  });
  assert.deepEqual(data[1].matched_location, {
    kind: "primary",
    address: {
      address_1: "5 NOWHERE RD",
      address_2: null,
      city: "CHICAGO",
      state: "IL",
      postal_code: "60601",
      country: "US",
    },
  });
});

test("links to other pages include the scopes, and each scope has its own tag", async () => {
  await using widened = await startWidened();
  const { service } = widened;
  const url = `${SEARCH}?limit=1&taxonomy=207Q00000X`;
  const wide = await service.get(`${url}&taxonomy_scope=any`);
  assert.match(
    String(wide.headers["link"]),
    /taxonomy_scope=any&page=2>; rel="next"/,
  );
  const narrow = await service.get(url);
  assert.notEqual(wide.headers["etag"], narrow.headers["etag"]);
});

test("without a scope, answers are the same to the byte, whatever is stored", async () => {
  await using widened = await startWidened();
  await using plain = await startWidened([]);
  for (const url of [
    `${SEARCH}?name=e`,
    `${SEARCH}?taxonomy=207Q00000X`,
    `${NEARBY}?zip=60601`,
    `${NEARBY}?zip=60601&specialty=family`,
  ]) {
    const answers = await Promise.all(
      [widened, plain].map(({ service }) => service.get(url)),
    );
    const [wide, narrow] = answers.map(({ body }) => body);
    assert.ok(wide !== undefined && wide.includes('"npi"'));
    assert.equal(wide, narrow);
  }
});

test("a scope without stored data is an error, with what the operator can do", async () => {
  await using plain = await startWidened([]);
  const { service } = plain;
  const both = await service.get(
    `${SEARCH}?name=e&taxonomy_scope=any&name_scope=any`,
  );
  assert.equal(both.statusCode, 400);
  assert.deepEqual(badParameters(both.body), [
    "name_scope details_not_held",
    "taxonomy_scope details_not_held",
  ]);
  assert.match(
    errorOf(both.body).message,
    /name_scope=any needs other names, which this installation does not store\. .* --details all, or with a list that has other_names\./,
  );
  const near = await service.get(`${NEARBY}?zip=60601&location_scope=any`);
  assert.deepEqual(badParameters(near.body), [
    "location_scope details_not_held",
  ]);
  const primary = await service.get(
    `${NEARBY}?zip=60601&location_scope=primary`,
  );
  assert.equal(primary.statusCode, 200);
});

test("a scope is primary or any, and belongs to the operations that have it", async () => {
  await using widened = await startWidened();
  const { service } = widened;
  const wrong = await service.get(`${SEARCH}?name=e&name_scope=all`);
  assert.equal(
    errorOf(wrong.body).message,
    "name_scope must be primary or any.",
  );
  const elsewhere = await service.get(`${SEARCH}?location_scope=any`);
  assert.equal(elsewhere.statusCode, 400);
});

test("without the file of addresses, only the search that needs it fails", async () => {
  using registry = new SmallRegistry();
  await importZip(registry, FULL_PERIOD, WIDENED);
  const { store } = registry;
  rmSync(store.detailsPathOf(store.currentId() ?? "none"));
  using directory = widenedDirectory(registry);
  await using service = await startHttpService();
  service.data.directory = directory;
  const url = `${NEARBY}?zip=60601`;
  const lost = await service.get(`${url}&location_scope=any`);
  assert.equal(lost.statusCode, 500);
  assert.equal(errorOf(lost.body).code, "details_unreadable");
  assert.equal((await service.get(url)).statusCode, 200);
  const named = await service.get(`${SEARCH}?name=sunrise&name_scope=any`);
  assert.equal(named.json().meta.total, 1);
});
