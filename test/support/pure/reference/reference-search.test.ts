import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type {
  NearbyQuery,
  Point,
  SearchQuery,
} from "../../../../src/search/query.ts";
import { haversineMiles } from "../../../../src/reference/zip-points.ts";
import { inventedNpi } from "../registry/invented-npi.ts";
import {
  type RawRow,
  rawRow,
  type RowValues,
  type TaxonomySlot,
} from "../registry/raw-row.ts";
import { FORCE, fullFile, ReferenceRegistry } from "./reference-registry.ts";
import { ReferenceDirectory } from "./reference-search.ts";

const TAXONOMY = new Map([
  ["101Y00000X", "Family Medicine Physician"],
  ["102Y00000X", "Physician Assistant"],
]);
const CHICAGO = { lat: 41.885, lng: -87.622 };
const SIX_MILES_NORTH = { lat: 41.972, lng: -87.622 };
const CENTROIDS: ReadonlyMap<string, Point> = new Map([
  ["60601", CHICAGO],
  ["60602", CHICAGO],
  ["60640", SIX_MILES_NORTH],
  ["09009", CHICAGO],
  ["96901", { lat: 51.9, lng: 179.99 }],
  ["99501", { lat: 51.9, lng: -179.99 }],
]);

describe("text matching", () => {
  it("folds case, accents, apostrophes, periods, hyphens and runs of spaces on both sides", () => {
    const directory = directoryOf(
      person(1, { last: "O'BRIEN" }),
      person(2, { last: "O’Brien" }),
      person(3, { last: "OBRIEN" }),
      person(4, { last: "SMITH-JONES" }),
      person(5, { last: "SMITH  JONES" }),
      person(6, { last: "MÜLLER" }),
    );
    assert.deepEqual(found(directory, { last_name: "o'brien" }), [1, 2, 3]);
    assert.deepEqual(found(directory, { last_name: "Smith Jones" }), [4, 5]);
    assert.deepEqual(found(directory, { last_name: "muller" }), [6]);
  });

  it("treats a blank parameter as absent", () => {
    const directory = directoryOf(
      person(1, { last: "SMITH" }),
      organization(2, "CLINIC"),
    );
    const blank = {
      name: " ",
      first_name: "",
      last_name: "  ",
      organization: "",
      city: " ",
      specialty: "",
    };
    assert.deepEqual(found(directory, blank), [1, 2]);
  });

  it("finds a name when each word is a substring of first, last or organization name", () => {
    const directory = directoryOf(
      person(1, { first: "JOHN", last: "SMITH" }),
      person(2, { first: "SMITHSON", last: "DUJOHNS" }),
      organization(3, "JOHNSON AND BLACKSMITHS"),
      person(4, { first: "JOHN", last: "JONES", middle: "SMITH" }),
      organization(5, "SMITH CLINIC"),
    );
    assert.deepEqual(found(directory, { name: "john smi" }), [1, 2, 3]);
  });

  it("does not join the words of a field: DELACRUZ is no substring of DE LA CRUZ", () => {
    const directory = directoryOf(
      person(1, { last: "DE LA CRUZ" }),
      person(2, { last: "DELACRUZ" }),
    );
    assert.deepEqual(found(directory, { name: "DELACRUZ" }), [2]);
    assert.deepEqual(found(directory, { name: "LA" }), [1, 2]);
  });

  it("finds first and last names by the start of the whole field, with or without a trailing asterisk", () => {
    const directory = directoryOf(
      person(1, { first: "ANN", last: "DE LA CRUZ" }),
      person(2, { first: "JOANN", last: "CRUZ" }),
      person(3, { first: "ANNA", last: "DELACRUZ" }),
    );
    assert.deepEqual(found(directory, { first_name: "ann" }), [1, 3]);
    assert.deepEqual(found(directory, { first_name: "ann*" }), [1, 3]);
    assert.deepEqual(found(directory, { last_name: "de la" }), [1]);
    assert.deepEqual(found(directory, { last_name: "cruz" }), [2]);
  });

  it("searches organizations only in organization names, first and last names only in individuals", () => {
    const stray = { first: "SMITH", last: "SMITH", organization: "SMITH" };
    const directory = directoryOf(
      person(1, stray),
      organization(2, "SMITH", stray),
    );
    assert.deepEqual(found(directory, { organization: "smi" }), [2]);
    assert.deepEqual(found(directory, { first_name: "smi" }), [1]);
    assert.deepEqual(found(directory, { last_name: "smi" }), [1]);
    assert.deepEqual(found(directory, { name: "smi" }), [1, 2]);
  });

  it("finds a specialty when each word is a substring of the display name", () => {
    const directory = directoryOf(
      person(1, {}, [{ code: "101Y00000X", primary: "Y" }]),
      person(2, {}, [{ code: "102Y00000X", primary: "Y" }]),
      person(3, {}, [{ code: "999Y00000X", primary: "Y" }]),
    );
    assert.deepEqual(found(directory, { specialty: "physic" }), [1, 2]);
    assert.deepEqual(found(directory, { specialty: "cian medi" }), [1]);
    assert.deepEqual(found(directory, { specialty: "999Y" }), []);
  });

  it("compares whole cities, with ST, MT and FT read in full anywhere", () => {
    const directory = directoryOf(
      person(1, { city: "ST. LOUIS" }),
      person(2, { city: "Saint Louis" }),
      person(3, { city: "EAST ST LOUIS" }),
      person(4, { city: "SAINT LOUIS PARK" }),
      person(5, { city: "FT WAYNE" }),
      person(6, { city: "MT. ST. MARY" }),
    );
    assert.deepEqual(found(directory, { city: "st louis" }), [1, 2]);
    assert.deepEqual(found(directory, { city: "East Saint Louis" }), [3]);
    assert.deepEqual(found(directory, { city: "Fort Wayne" }), [5]);
    assert.deepEqual(found(directory, { city: "mount saint mary" }), [6]);
  });

  it("finds foreign cities too, but states and ZIPs only on U.S. addresses", () => {
    const values = { city: "PARIS", state: "TX", postalCode: "75460" };
    const directory = directoryOf(
      person(1, { ...values, country: "FR" }),
      person(2, values),
    );
    assert.deepEqual(found(directory, { city: "paris" }), [2, 1]);
    assert.deepEqual(found(directory, { state: "tx" }), [2]);
    assert.deepEqual(found(directory, { zip: "75460" }), [2]);
  });

  it("compares a ZIP with the first five characters of the postal code", () => {
    const codes = [
      "60601",
      "606013456",
      "60601-3456",
      "60601 USA",
      " 60601",
      "6060",
      "6 0601",
      "60602",
    ];
    const directory = directoryOf(
      ...codes.map((postalCode, index) => person(index + 1, { postalCode })),
    );
    assert.deepEqual(found(directory, { zip: "60601" }), [1, 2, 3, 4, 5]);
  });

  it("compares a taxonomy with the primary one that the record shows, in any case", () => {
    const directory = directoryOf(
      person(1, {}, [{ code: "101y00000x", primary: "Y" }]),
      person(2, {}, [
        { code: "102Y00000X", primary: "Y" },
        { code: "101Y00000X", primary: "N" },
      ]),
    );
    assert.deepEqual(found(directory, { taxonomy: "101Y00000x" }), [1]);
    assert.deepEqual(found(directory, { taxonomy: "102y00000x" }), [2]);
  });

  it("applies all filters together, and contradictions find no provider", () => {
    const directory = directoryOf(
      person(1, { last: "SMITH", state: "IL" }),
      person(2, { last: "SMITH", state: "MO" }),
      person(3, { last: "JONES", state: "IL", deactivationDate: "01/02/2020" }),
    );
    assert.deepEqual(
      found(directory, { last_name: "SMITH", state: "IL" }),
      [1],
    );
    assert.deepEqual(
      found(directory, { last_name: "SMITH", organization: "SMITH" }),
      [],
    );
    assert.deepEqual(found(directory, { status: "deactivated" }), [3]);
    assert.deepEqual(
      found(directory, { status: "active", entity_type: "individual" }),
      [1, 2],
    );
    assert.deepEqual(found(directory, { entity_type: "organization" }), []);
  });
});

describe("order, pages and totals", () => {
  it("puts exact names first: the whole organization, last or first name, or both names either way round", () => {
    const directory = directoryOf(
      organization(1, "THE JOHN SMITH CLINIC"),
      person(2, { first: "JOHN", last: "SMITHSON" }),
      organization(3, "JOHN SMITH"),
      person(4, { first: "JOHN", last: "SMITH" }),
      person(5, { first: "SMITH", last: "JOHN" }),
      person(6, { first: "ANN", last: "JOHN SMITH" }),
      person(7, { first: "JOHN SMITH", last: "ANN" }),
    );
    assert.deepEqual(
      found(directory, { name: "john smith" }),
      [3, 4, 5, 6, 7, 1, 2],
    );
  });

  it("puts words that begin a word before words inside one", () => {
    const directory = directoryOf(
      organization(1, "JOANN'S BLACKSMITHS"),
      organization(2, "ANN'S BLACKSMITHS"),
      organization(3, "SMITHY OF ANNA"),
      organization(4, "ANN SMITH"),
    );
    assert.deepEqual(
      found(directory, { organization: "ann smith" }),
      [4, 3, 1, 2],
    );
  });

  it("puts whole first and last names before longer ones, a prefix of the field being a prefix of its words", () => {
    const directory = directoryOf(
      person(1, { last: "DE LA CRUZ" }),
      person(2, { last: "DE LARA" }),
      person(3, { last: "DE LA" }),
    );
    assert.deepEqual(found(directory, { last_name: "de la" }), [3, 1, 2]);
  });

  it("takes the worst tier of the text filters given", () => {
    const directory = directoryOf(
      person(1, { first: "ANN", last: "SMITHSON" }),
      person(2, { first: "ANNA", last: "SMITH" }),
      person(3, { first: "ANN", last: "SMITH" }),
      person(4, { first: "JOANN", last: "SMITH" }),
    );
    assert.deepEqual(
      found(directory, { first_name: "ann", last_name: "smith" }),
      [3, 1, 2],
    );
    assert.deepEqual(
      found(directory, { name: "ann", last_name: "smith" }),
      [3, 1, 2, 4],
    );
  });

  it("does not rank by specialty or place", () => {
    const directory = directoryOf(
      person(1, { city: "A" }, [{ code: "102Y00000X", primary: "Y" }]),
      person(2, { city: "B" }, [{ code: "101Y00000X", primary: "Y" }]),
    );
    assert.deepEqual(found(directory, { specialty: "physician" }), [1, 2]);
    assert.deepEqual(found(directory, { specialty: "cian" }), [1, 2]);
  });

  it("orders by state, city as it is compared, ZIP and NPI, inside a tier and without a text filter", () => {
    const directory = directoryOf(
      person(9, { state: "IL", city: "SAINT ANN", postalCode: "60601" }),
      person(8, { state: "IL", city: "ST. ANN", postalCode: "60600" }),
      person(7, { state: "Illinois", city: "st ann", postalCode: "606011234" }),
      person(6, { state: "IL", city: "SALEM", postalCode: "60602" }),
      person(5, { state: "AK", city: "Z", postalCode: "99999" }),
      person(4, { state: "WY", city: "A", postalCode: "00000" }),
    );
    assert.deepEqual(found(directory, {}), [5, 8, 7, 9, 6, 4]);
  });

  it("puts a missing city or ZIP first, rows without a known U.S. state last by NPI", () => {
    const directory = directoryOf(
      person(9, { state: "IL", city: "A", postalCode: "60601" }),
      person(8, { state: "IL", city: "A", postalCode: "6060" }),
      person(7, { state: "IL", postalCode: "60699" }),
      person(6, { state: "IL", city: "--", postalCode: "60698" }),
      person(5, { state: "FORT BEND", city: "A", postalCode: "00000" }),
      person(4, { state: "IL", city: "A", country: "CA" }),
      person(3, { city: "B", postalCode: "00001" }),
      withheld(2),
      person(1, { state: "ZZ", city: "Z", postalCode: "99999" }),
    );
    assert.deepEqual(found(directory, {}), [6, 7, 8, 9, 1, 2, 3, 4, 5]);
  });

  it("cuts pages out of one list with one exact total, at any depth and past the end", () => {
    const directory = directoryOf(
      ...Array.from({ length: 7 }, (_, index) =>
        person(index + 1, { last: "SMITH" }),
      ),
    );
    const page = (number: number): unknown => {
      const { total, entries } = directory.search({
        last_name: "s",
        limit: 3,
        page: number,
      });
      return { total, found: entries.map(({ npi }) => numberOf(npi)) };
    };
    assert.deepEqual(page(1), { total: 7, found: [1, 2, 3] });
    assert.deepEqual(page(3), { total: 7, found: [7] });
    assert.deepEqual(page(4), { total: 7, found: [] });
    assert.deepEqual(page(Number.MAX_SAFE_INTEGER), { total: 7, found: [] });
  });

  it("returns entries with exactly the specified members", () => {
    const directory = directoryOf(
      person(
        1,
        {
          first: "ANN",
          last: "SMITH",
          city: "ST. LOUIS",
          state: "missouri",
          address1: "1 MAIN",
        },
        [{ code: "101Y00000X", primary: "Y" }],
      ),
      withheld(2),
    );
    assert.deepEqual(directory.search({ limit: 2, page: 1 }).entries, [
      {
        npi: inventedNpi(100_000_001),
        entity_type: "individual",
        name: { first: "ANN", middle: null, last: "SMITH", credential: null },
        organization_name: null,
        status: "active",
        primary_taxonomy: {
          code: "101Y00000X",
          description: "Family Medicine Physician",
        },
        city: "ST. LOUIS",
        state: "MO",
      },
      {
        npi: inventedNpi(100_000_002),
        entity_type: null,
        name: null,
        organization_name: null,
        status: "deactivated",
        primary_taxonomy: null,
        city: null,
        state: null,
      },
    ]);
  });
});

describe("nearby", () => {
  const directory = directoryOf(
    person(6, { postalCode: "606021234", state: "IL" }),
    person(5, { postalCode: "60601", deactivationDate: "01/02/2020" }),
    organization(4, "NORTH CLINIC", { postalCode: "60640" }),
    person(3, { postalCode: "60601", country: "CA" }),
    person(2, { postalCode: "09009", state: "AE" }),
    person(1, { postalCode: "60699" }),
    person(7, { postalCode: "96901" }),
    person(8, { postalCode: "99501" }),
    withheld(9),
  );

  it("orders by distance, ties by NPI, and finds deactivated providers with known details", () => {
    assert.deepEqual(around(directory, { center: CHICAGO }), [5, 6, 4]);
    assert.deepEqual(around(directory, { center: SIX_MILES_NORTH }), [4, 5, 6]);
  });

  it("leaves out providers without a centroid, foreign and military ones, whom a search finds", () => {
    assert.deepEqual(found(directory, { status: "active" }).includes(3), true);
    assert.deepEqual(
      around(directory, { center: CHICAGO, radius: 500 }),
      [5, 6, 4],
    );
  });

  it("includes the circle's edge and compares unrounded", () => {
    const miles = haversineMiles(
      CHICAGO.lat,
      CHICAGO.lng,
      SIX_MILES_NORTH.lat,
      SIX_MILES_NORTH.lng,
    );
    assert.deepEqual(
      around(directory, { center: CHICAGO, radius: miles }),
      [5, 6, 4],
    );
    assert.deepEqual(
      around(directory, { center: CHICAGO, radius: miles - 1e-9 }),
      [5, 6],
    );
  });

  it("gives distances in two decimals", () => {
    const query = { center: CHICAGO, radius: 25, limit: 10, page: 1 };
    const distances = directory
      .nearby(query)
      .map(({ distance_miles: miles }) => miles);
    // 0.087 degrees of a meridian at 69.0933 miles.
    assert.deepEqual(distances, [0, 0, 6.01]);
  });

  it("crosses the antimeridian", () => {
    assert.deepEqual(
      around(directory, {
        center: { lat: 51.9, lng: 179.995 },
        radius: 2,
      }),
      [7, 8],
    );
  });

  it("takes the filters that it shares with search, and pages", () => {
    assert.deepEqual(
      around(directory, { center: CHICAGO, entity_type: "organization" }),
      [4],
    );
    assert.deepEqual(
      around(directory, { center: CHICAGO, status: "active" }),
      [6, 4],
    );
    assert.deepEqual(
      around(directory, { center: CHICAGO, limit: 2, page: 2 }),
      [4],
    );
    assert.deepEqual(
      around(directory, { center: CHICAGO, limit: 2, page: 3 }),
      [],
    );
  });

  it("knows centroids, and the ZIP nearest to a point, the smallest of several", () => {
    assert.deepEqual(directory.centroid("60640"), SIX_MILES_NORTH);
    assert.equal(directory.centroid("60600"), null);
    assert.equal(directory.nearestZip({ lat: 41.96, lng: -87.6 }), "60640");
    assert.equal(directory.nearestZip(CHICAGO), "09009");
    assert.equal(directory.nearestZip({ lat: 51.9, lng: 180 }), "96901");
  });
});

function directoryOf(...rows: RawRow[]): ReferenceDirectory {
  const registry = new ReferenceRegistry(TAXONOMY);
  registry.import(fullFile(rows), FORCE);
  return new ReferenceDirectory(registry.providers(), CENTROIDS);
}

function person(
  number: number,
  values: RowValues,
  slots: TaxonomySlot[] = [],
): RawRow {
  return rawRow(
    { npi: inventedNpi(100_000_000 + number), entityType: "1", ...values },
    slots,
  );
}

function organization(
  number: number,
  name: string,
  values: RowValues = {},
): RawRow {
  return rawRow({
    ...values,
    npi: inventedNpi(100_000_000 + number),
    entityType: "2",
    organization: name,
  });
}

function withheld(number: number): RawRow {
  return rawRow({
    npi: inventedNpi(100_000_000 + number),
    deactivationDate: "01/02/2020",
  });
}

/** The numbers of the providers on the first page, in order. */
function found(
  directory: ReferenceDirectory,
  query: Partial<SearchQuery>,
): number[] {
  return directory
    .search({ limit: 100, page: 1, ...query })
    .entries.map(({ npi }) => numberOf(npi));
}

function around(
  directory: ReferenceDirectory,
  query: Partial<NearbyQuery> & { center: Point },
): number[] {
  return directory
    .nearby({ radius: 25, limit: 100, page: 1, ...query })
    .map(({ npi }) => numberOf(npi));
}

function numberOf(npi: string): number {
  return Number(npi.slice(0, 9)) - 100_000_000;
}
