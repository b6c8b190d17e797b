import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DETAIL_PARTS } from "../../src/contract/detail-parts.ts";
import type { ParsedDirectory } from "../support/pure/engine/parsed-directory.ts";
import {
  npiOf,
  person,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";
import { importZip } from "../support/pure/registry/registry-zip.ts";
import {
  FAMILY,
  FULL_PERIOD,
  NURSE,
  otherName,
  WEEK_PERIOD,
  WIDENED,
  widenedDirectory,
} from "../support/pure/registry/widened-registry.ts";

const PAGE = { limit: 10, page: 1 };
const CHICAGO = { center: { lat: 41.88, lng: -87.62 }, radius: 5 };

describe("the extended index", () => {
  it("is built from the registry's zip", async () => {
    using registry = new SmallRegistry();
    await importZip(registry, FULL_PERIOD, WIDENED);
    using directory = widenedDirectory(registry);
    assert.deepEqual(registry.faults(), []);
    assert.deepEqual(named(directory, "sunrise"), [npiOf(3)]);
    assert.deepEqual(named(directory, "pat maiden"), [npiOf(1)]);
    assert.deepEqual(withTaxonomy(directory, NURSE), [npiOf(1)]);
    assert.deepEqual(withTaxonomy(directory, FAMILY), [npiOf(1), npiOf(4)]);
    assert.deepEqual(nearChicago(directory), [1, 2, 3, 4].map(npiOf));
  });

  it("changes with a week, and stays the same for all other providers", async () => {
    using registry = new SmallRegistry();
    await importZip(registry, FULL_PERIOD, WIDENED);
    const week = await importZip(registry, WEEK_PERIOD, {
      rows: [
        person(1, { lastUpdated: "11/10/2026" }),
        {
          ...person(5, { city: "AURORA" }),
          "Provider Other Last Name": "MAIDEN",
          "Provider Other First Name": "ALEX",
        },
      ],
      otherNames: [otherName(2, "MOONLIGHT CLINIC")],
      locations: [],
    });
    assert.equal(week.status, "imported");
    using directory = widenedDirectory(registry);
    assert.deepEqual(registry.faults(), []);
    assert.deepEqual(named(directory, "maiden"), [npiOf(5)]);
    assert.deepEqual(named(directory, "sunrise"), [npiOf(3)]);
    assert.deepEqual(named(directory, "moonlight"), [npiOf(2)]);
    assert.deepEqual(withTaxonomy(directory, NURSE), []);
  });

  it("covers the details that are kept", async () => {
    using registry = new SmallRegistry();
    for (const part of DETAIL_PARTS) {
      await importZip(registry, FULL_PERIOD, WIDENED, {
        details: new Set([part]),
        force: true,
      });
      const { locations, names, slots } = registry.snapshot().extended;
      assert.deepEqual(
        [slots !== null, names !== null, locations !== null],
        [part === "taxonomies", part === "other_names", part === "locations"],
      );
    }
  });

  it("is empty and takes no space without details", async () => {
    using registry = new SmallRegistry();
    await importZip(registry, FULL_PERIOD, WIDENED, { details: new Set() });
    const { extended, extendedFile } = registry.snapshot();
    assert.equal(extendedFile, null);
    assert.deepEqual(extended, {
      parts: [],
      slots: null,
      names: null,
      locations: null,
      officials: null,
      addresses: null,
    });
  });
});

function named(directory: ParsedDirectory, name: string): string[] {
  const { entries } = directory.found({ ...PAGE, name, name_scope: "any" });
  return entries.map(({ npi }) => npi);
}

function withTaxonomy(directory: ParsedDirectory, taxonomy: string): string[] {
  const { entries } = directory.found({
    ...PAGE,
    taxonomy,
    taxonomy_scope: "any",
  });
  return entries.map(({ npi }) => npi).toSorted();
}

function nearChicago(directory: ParsedDirectory): string[] {
  return directory
    .near({ ...PAGE, ...CHICAGO, location_scope: "any" })
    .map(({ npi }) => npi);
}
