import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  FieldText,
  RegistryPlace,
} from "../../src/search/registry-api/registry-query.ts";
import {
  FULL,
  npiOf,
  person,
  SmallRegistry,
} from "../support/registry/small-registry.ts";

test("without details, primary practice locations are found in states, territories, and military posts", async () => {
  using registry = new SmallRegistry();
  await registry.import(
    FULL,
    [
      person(0, { city: "SAN JUAN", state: "TX", postalCode: "78589" }),
      person(1, { city: "SAN JUAN", state: "PR", postalCode: "009011234" }),
      person(2, { city: "APO", state: "AE", postalCode: "09096" }),
    ],
    { details: new Set() },
  );
  const directory = registry.directory();
  const snapshot = registry.snapshot();
  const found = (place: Omit<RegistryPlace, "purpose">): string[] =>
    directory
      .searchRegistry({ place: { purpose: null, ...place }, skip: 0, limit: 9 })
      .hits.map(({ doc }) => String(snapshot.npi[doc]));

  const city = exactly("san juan");
  assert.deepEqual(found({ city }).toSorted(), [npiOf(0), npiOf(1)]);
  assert.deepEqual(found({ city, state: "PR" }), [npiOf(1)]);
  assert.deepEqual(found({ state: "AE", country: "US" }), [npiOf(2)]);
  assert.deepEqual(found({ postalCode: exactly("00901") }), [npiOf(1)]);
  assert.deepEqual(found({ postalCode: exactly("00901-1234") }), [npiOf(1)]);
  assert.deepEqual(found({ state: "ZZ" }), []);
  assert.deepEqual(found({ country: "CA" }), []);
});

function exactly(text: string): FieldText {
  return { text, isPrefix: false };
}
