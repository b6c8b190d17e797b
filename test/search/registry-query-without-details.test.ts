import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DETAIL_PARTS,
  type DetailPart,
} from "../../src/contract/detail-parts.ts";
import type {
  FieldText,
  RegistryPlace,
} from "../../src/search/registry-api/registry-query.ts";
import {
  FULL,
  npiOf,
  person,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";

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
  using directory = registry.directory();
  const snapshot = registry.snapshot();
  const found = (place: Omit<RegistryPlace, "purpose">): string[] =>
    directory.search
      .registryPage({ place: { purpose: null, ...place }, skip: 0, limit: 9 })
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

test("without details, primary practice locations abroad and without a known state are found as with details", async () => {
  const rows = [
    person(0, {
      city: "TORONTO",
      state: "ONTARIO",
      postalCode: "M5V 2T6",
      country: "CA",
    }),
    person(1, {
      city: "OTTAWA",
      state: "ON",
      postalCode: "K1A0B1",
      country: "CA",
    }),
    person(2, { city: "TORONTO", state: "OH", postalCode: "439640001" }),
    person(3, {
      city: "BERLIN",
      state: "",
      postalCode: "10115",
      country: "DE",
    }),
    person(4, {
      city: "SEOUL",
      state: "AP",
      postalCode: "96205",
      country: "KR",
    }),
    person(5, {
      city: "NOWHERE",
      state: "ZZ",
      postalCode: "10115",
      country: "",
    }),
    person(6, {
      address1: "",
      city: "",
      state: "",
      postalCode: "",
      country: "",
    }),
    person(7, {
      city: "TORONTO",
      state: "ON",
      country: "CA",
      deactivationDate: "01/02/2020",
    }),
  ];
  using without = new SmallRegistry();
  await without.import(FULL, rows, { details: new Set() });
  using whole = new SmallRegistry();
  await whole.import(FULL, rows);
  const purpose = "primary";
  for (const [place, numbers] of [
    [{ country: "CA" }, [0, 1]],
    [{ country: "ca", city: exactly("toronto") }, [0]],
    [{ city: exactly("toronto") }, [0, 2]],
    [{ city: { text: "to", isPrefix: true }, country: "US" }, [2]],
    [{ state: "ON" }, [1]],
    [{ state: "Ontario", country: "CA" }, [0]],
    [{ postalCode: exactly("m5v2t6") }, [0]],
    [{ postalCode: { text: "K1", isPrefix: true } }, [1]],
    [{ postalCode: exactly("10115") }, [3, 5]],
    [{ postalCode: exactly("10115"), country: "DE" }, [3]],
    [{ postalCode: exactly("10115"), country: "US" }, [5]],
    [{ city: exactly("seoul"), state: "AP" }, [4]],
    [{ country: "FR" }, []],
    [{ city: exactly("nowhere"), country: "CA" }, []],
  ] as const) {
    const expected = numbers.map(npiOf);
    const asked = { purpose, ...place } as const;
    for (const registry of [without, whole])
      assert.deepEqual(
        foundIn(registry, asked).toSorted(),
        expected,
        JSON.stringify(place),
      );
  }
});

test("an address in a state with the code of a territory is in the U.S., and shown as published", async () => {
  for (const details of [new Set<DetailPart>(), new Set(DETAIL_PARTS)]) {
    using registry = new SmallRegistry();
    const mailing = "Provider Business Mailing Address";
    const row = {
      ...person(0, { country: "UM" }),
      [`${mailing} City Name`]: "CHICAGO",
      [`${mailing} State Name`]: "IL",
      [`${mailing} Country Code (If outside U.S.)`]: "UM",
    };
    await registry.import(FULL, [row], { details });
    using directory = registry.directory();
    const found = (
      country: string,
      purpose: "mailing" | "primary" = "primary",
    ): number[] =>
      directory.search
        .registryPage({
          place: { purpose, country },
          skip: 0,
          limit: 9,
        })
        .hits.map(({ doc }) => doc);
    assert.deepEqual(found("UM"), []);
    const [doc = -1] = found("US");
    assert.deepEqual(found("UM", "mailing"), []);
    assert.deepEqual(found("US", "mailing"), details.size === 0 ? [] : [doc]);
    assert.match(
      JSON.stringify(directory.registry.of(doc)),
      /"country_code":"UM"/,
    );
  }
});

function exactly(text: string): FieldText {
  return { text, isPrefix: false };
}

function foundIn(registry: SmallRegistry, place: RegistryPlace): string[] {
  using directory = registry.directory();
  const { npi } = registry.snapshot();
  const { hits, total } = directory.search.registryPage({
    place,
    skip: 0,
    limit: 9,
  });
  assert.equal(hits.length, total);
  return hits.map(({ doc }) => String(npi[doc]));
}
