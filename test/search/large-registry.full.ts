import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { builtinTaxonomy } from "../../src/reference/builtin-specialties.ts";
import { loadCentroids } from "../../src/reference/centroids.ts";
import { csvRows } from "../support/pure/reference/csv-records.ts";
import type { Provider } from "../../src/contract/provider.ts";
import type { ParsedDirectory } from "../support/pure/engine/parsed-directory.ts";
import type { NearbyQuery, SearchQuery } from "../../src/search/query.ts";
import { syntheticCsv } from "../../src/registry-generator/registry-files.ts";
import { type Engine, startEngine } from "../support/pure/engine/engine.ts";
import type {
  DetailsByNpi,
  SearchableDetails,
} from "../support/pure/registry/searchable-details.ts";
import {
  FORCE,
  fullFile,
  ReferenceRegistry,
} from "../support/pure/reference/reference-registry.ts";
import { ReferenceDirectory } from "../support/pure/reference/reference-search.ts";
import { officialLayout } from "../support/pure/registry/registry-csv.ts";

/**
 * Generated registries are small. This one is large enough for everything that the engine does by the thousand: chunks
 * of candidates, blocks of kinds, sets instead of sorted lists, long lists of a taxonomy.
 */
const PROVIDERS = 26_000;

const SEARCHES: Omit<SearchQuery, "limit" | "page">[] = [
  {},
  { entity_type: "individual" },
  { entity_type: "organization", status: "active" },
  { status: "deactivated" },
  { state: "CA" },
  { state: "ca", entity_type: "individual" },
  { state: "TX", specialty: "nurse" },
  { specialty: "e" },
  { specialty: "e", entity_type: "individual" },
  { name: "a", specialty: "e" },
  { name: "er", specialty: "a", entity_type: "individual" },
  { specialty: "nurse practitioner", status: "active" },
  { specialty: "nurses", specialty_scope: "common" },
  { specialty: "therapist", specialty_scope: "common", state: "TX" },
  { specialty: "counselors", specialty_scope: "common", name: "a" },
  { specialty: "PCP", specialty_scope: "common", entity_type: "individual" },
  { taxonomy: "106S00000X" },
  { taxonomy: "106S00000X", entity_type: "individual", state: "FL" },
  { city: "ST. LOUIS" },
  { city: "Los Angeles", specialty: "a" },
  { zip: "60601" },
  { name: "a" },
  { name: "an" },
  { name: "mar" },
  { name: "smith" },
  { name: "john" },
  { name: "illi" },
  { name: "heal" },
  { name: "johns" },
  { name: "ander" },
  { name: "alth" },
  { organization: "heal" },
  { organization: "enter" },
  { name: "john s" },
  { name: "de la" },
  { name: "e a" },
  { name: "a e i o n" },
  { name: "s", state: "NY", entity_type: "organization" },
  { name: "an", specialty: "counselor" },
  { first_name: "j" },
  { first_name: "ma", last_name: "s" },
  { last_name: "sm" },
  { last_name: "garcia", state: "CA" },
  { last_name: "o'brien" },
  { organization: "a" },
  { organization: "health" },
  { organization: "c h", state: "TX" },
  { organization: "health", name: "family" },
  { name: "s", zip: "60601" },
  { name: "a", city: "Chicago", status: "active" },
  { name: "er a", taxonomy: "106S00000X" },
  { last_name: "s", city: "Houston" },
  { first_name: "m", last_name: "m", specialty: "nurse" },
  { organization: "ar", city: "Los Angeles" },
];

/** Filters that no record meets together. */
const EXCLUSIVE: Pick<
  SearchQuery,
  "entity_type" | "first_name" | "name" | "organization" | "specialty"
>[] = [
  { organization: "a", entity_type: "individual" },
  { first_name: "m", entity_type: "organization" },
  { first_name: "m", organization: "a" },
  { name: "a", specialty: "no such specialty" },
];

const SCOPES: Pick<SearchQuery, "name_scope" | "taxonomy_scope">[] = [
  { name_scope: "any" },
  { name_scope: "any", taxonomy_scope: "any" },
];

const NEARBY_SCOPES: Pick<NearbyQuery, "location_scope" | "taxonomy_scope">[] =
  [
    { location_scope: "any" },
    { taxonomy_scope: "any" },
    { location_scope: "any", taxonomy_scope: "any" },
  ];

describe("the engine over a larger registry, against the reference search", () => {
  let engine: Engine;
  let directory: ParsedDirectory;
  let reference: ReferenceDirectory;
  /** The same providers, most of them with another one's data as well. */
  let widened: ParsedDirectory;
  let widenedReference: ReferenceDirectory;

  before(async () => {
    const csv = syntheticCsv({ providers: PROVIDERS, specialties: "named" });
    const file = fullFile(csvRows(csv.toString()), "2026-11-09");
    const taxonomy = new Map(builtinTaxonomy().entries());
    const { lat, lng, zips } = loadCentroids();
    const centroids = new Map(
      Array.from(zips, (zip, i) => [
        String(zip).padStart(5, "0"),
        { lat: lat[i] ?? NaN, lng: lng[i] ?? NaN },
      ]),
    );
    engine = await startEngine({ taxonomy, centroids }, officialLayout(), []);
    assert.equal(await engine.import(file, FORCE), "applied");
    directory = engine.directory();
    const held = new ReferenceRegistry(taxonomy);
    held.import(file, FORCE);
    const providers = held.providers();
    reference = new ReferenceDirectory(providers, centroids);
    const details = borrowedDetails(providers);
    await engine.widen(details);
    widened = engine.directory();
    widenedReference = new ReferenceDirectory(
      providers,
      centroids,
      details,
      taxonomy,
    );
  });
  after(() => engine[Symbol.asyncDispose]());

  for (const filters of SEARCHES) {
    it(`searches ${JSON.stringify(filters)}`, () =>
      sameSearch(directory, reference, filters));
    for (const scopes of SCOPES) {
      it(`searches ${JSON.stringify({ ...filters, ...scopes })}`, () =>
        sameSearch(widened, widenedReference, { ...filters, ...scopes }));
    }
    it(`sorts ${JSON.stringify(filters)} by name`, () => {
      const sort = "name";
      sameSearch(directory, reference, { ...filters, sort });
      const scopes = { name_scope: "any", taxonomy_scope: "any" } as const;
      sameSearch(widened, widenedReference, { ...filters, ...scopes, sort });
    });
  }

  it("finds nothing by filters that exclude each other", () => {
    for (const filters of EXCLUSIVE)
      for (const sort of ["relevance", "name"] as const) {
        const query = { ...filters, sort, limit: 10, page: 1 };
        const scopes = { name_scope: "any", taxonomy_scope: "any" } as const;
        assert.deepEqual(directory.found(query), { total: 0, entries: [] });
        assert.deepEqual(
          widened.found({ ...query, ...scopes }),
          widenedReference.search({ ...query, ...scopes }),
        );
      }
  });

  const centers = ["60601", "90012", "10001", "99501"];
  const filters: Partial<NearbyQuery>[] = [
    {},
    { entity_type: "organization" },
    { specialty: "e" },
    { specialty: "e", entity_type: "individual" },
    { specialty: "e", status: "deactivated" },
    { taxonomy: "106S00000X" },
  ];
  const named: Partial<NearbyQuery>[] = [
    { name: "an e", status: "active" },
    { name: "a", entity_type: "organization" },
    { name: "john s", specialty: "e" },
    { first_name: "j", last_name: "s" },
    { organization: "health c" },
    { name: "smith" },
    ...EXCLUSIVE,
  ];
  const asked = [30, 500].flatMap((radius) =>
    filters.map((filter) => [radius, filter] as const),
  );
  for (const zip of centers) {
    it(`finds what is near ${zip}`, () => {
      const center = directory.nearby.centroid(zip);
      assert.ok(center !== null);
      for (const [radius, filter] of asked) {
        const query = { ...filter, center, radius };
        sameNearby(directory, reference, query);
        sameNearby(directory, reference, { ...query, sort: "name" });
        for (const scopes of NEARBY_SCOPES) {
          sameNearby(widened, widenedReference, { ...query, ...scopes });
          sameNearby(widened, widenedReference, {
            ...query,
            ...scopes,
            sort: "name",
          });
        }
      }
      for (const filter of named) {
        const query = { ...filter, center, radius: 500 };
        sameNearby(directory, reference, query);
        sameNearby(widened, widenedReference, {
          ...query,
          location_scope: "any",
          name_scope: "any",
        });
      }
    });
  }
});

/** Compares the first and the third page. */
function sameNearby(
  directory: ParsedDirectory,
  reference: ReferenceDirectory,
  query: Omit<NearbyQuery, "limit" | "page">,
): void {
  const limit = 100;
  const whole = reference.nearby({ ...query, limit: 3 * limit, page: 1 });
  for (const page of [1, 3])
    assert.deepEqual(
      directory.near({ ...query, limit, page }),
      whole.slice((page - 1) * limit, page * limit),
      JSON.stringify(query),
    );
}

/** Compares pages at the start, in the middle and past the end of a search's matches. */
function sameSearch(
  directory: ParsedDirectory,
  reference: ReferenceDirectory,
  filters: Omit<SearchQuery, "limit" | "page">,
): void {
  const whole = reference.search({ ...filters, limit: PROVIDERS, page: 1 });
  assert.ok(whole.total > 0, "the question has to match something");
  for (const limit of [100, 7]) {
    const last = Math.ceil(whole.total / limit);
    const pages = new Set([1, 2, Math.ceil(last / 2), last, last + 1]);
    for (const page of pages) {
      const from = (page - 1) * limit;
      const entries = whole.entries.slice(from, from + limit);
      const found = directory.found({ ...filters, limit, page });
      assert.deepEqual(found, { total: whole.total, entries });
    }
  }
}

/** Two in three providers also have another provider's name, taxonomy and address. */
function borrowedDetails(providers: readonly Provider[]): DetailsByNpi {
  const other = (index: number): Provider | undefined =>
    providers[(index * 7919) % providers.length];
  return new Map(
    providers.flatMap((own, index): [string, SearchableDetails][] => {
      if (index % 3 === 0) return [];
      const lenders = [other(index + 1), other(index + 2)].filter(
        (each) => each !== undefined,
      );
      return [
        [
          own.npi,
          {
            taxonomies: (own.primary_taxonomy === null
              ? []
              : [own, ...lenders]
            ).flatMap(({ primary_taxonomy: taxonomy }) => taxonomy?.code ?? []),
            otherNames: lenders.map((lender) => ({
              organization: lender.organization_name,
              first: lender.name?.first ?? null,
              last: lender.name?.last ?? null,
            })),
            locations: lenders.flatMap(
              ({ practice_address: address }) => address ?? [],
            ),
          },
        ],
      ];
    }),
  );
}
