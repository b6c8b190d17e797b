/** Small registries with many collisions. Rows are raw: unmasked, untrimmed, some of them unusable. */

import * as fc from "fast-check";
import type { Point } from "../../../../src/search/query.ts";
import {
  CENTROIDS,
  CITIES,
  COMMON_FIRST_NAMES,
  COMMON_LAST_NAMES,
  COUNTRIES,
  DATES,
  FIRST_NAMES,
  LAST_NAMES,
  NO_DATES,
  ORGANIZATIONS,
  POSTAL_CODES,
  SILENT,
  STATES,
  TALKING,
  TAXONOMY,
  TAXONOMY_CODES,
} from "./colliding-values.ts";
import { inventedNpi } from "../registry/invented-npi.ts";
import {
  type RawRow,
  rawRow,
  type RowValues,
  TAXONOMY_SLOTS,
  type TaxonomySlot,
  withValues,
} from "../registry/raw-row.ts";
import type { TaxonomyTable } from "../reference/reference-provider.ts";
import type { Centroids } from "../reference/reference-search.ts";

/** Different NPIs in a registry: enough for most rows to have their own, few enough for some to share one. */
const NPIS = 600;

/** What is the same for every file of an installation. */
export interface References {
  taxonomy: TaxonomyTable;
  centroids: Centroids;
}

export interface Registry extends References {
  rows: readonly RawRow[];
}

/** A registry of `minRows` to `maxRows` rows. The first is usable, some are not. */
export function arbitraryRegistry({
  minRows,
  maxRows,
}: {
  minRows: number;
  maxRows: number;
}): fc.Arbitrary<Registry> {
  const usable = arbitraryRow(NPIS);
  const further = fc.array(
    fc.oneof({ weight: 30, arbitrary: usable }, unusableRow()),
    {
      minLength: minRows - 1,
      maxLength: maxRows - 1,
      size: "max",
    },
  );
  return fc.record({
    rows: fc
      .tuple(usable, further)
      .map(([first, rest]) => [first].concat(rest)),
    taxonomy: fc.constant(new Map(TAXONOMY)),
    centroids: arbitraryCentroids(),
  });
}

/** One usable row, of one of `npis` NPIs. */
export function arbitraryRow(npis: number): fc.Arbitrary<RawRow> {
  const npi = arbitraryNpi(npis);
  return fc.oneof(
    { weight: 10, arbitrary: row(npi, fc.constantFrom("1", "1", "1", " 1")) },
    { weight: 6, arbitrary: row(npi, fc.constantFrom("2", "2", "2", "2 ")) },
    { weight: 2, arbitrary: withheldRow(npi) },
  );
}

/** A withheld row of a deactivated NPI, as the registry publishes it or with more data than it should have. */
function withheldRow(npi: fc.Arbitrary<string>): fc.Arbitrary<RawRow> {
  const deactivationDate = fc.constantFrom(...DATES);
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .record({ npi, deactivationDate })
        .map((values) => rawRow(values)),
    },
    fc
      .tuple(row(npi, fc.constantFrom("", "--", "3")), deactivationDate)
      .map(([full, date]) =>
        withValues(full, { deactivationDate: date, reactivationDate: "" }),
      ),
  );
}

/** Bad NPIs, and invalid entity types without a deactivation. */
function unusableRow(): fc.Arbitrary<RawRow> {
  const npi = arbitraryNpi(NPIS);
  const badNpi = fc.oneof(
    fc.constantFrom("", "123456789", "12345678901", "123456789A", "<UNAVAIL>"),
    npi.map((good) => good.slice(0, 9) + ((Number(good[9]) + 1) % 10)),
  );
  return fc.oneof(
    row(badNpi, fc.constantFrom("1", "2")),
    row(npi, fc.constantFrom("", "0", "3", "I", "12", "--")).map((full) =>
      withValues(full, { deactivationDate: "" }),
    ),
    row(npi, fc.constantFrom("", "3")).map((full) =>
      withValues(full, {
        deactivationDate: "06/15/2021",
        reactivationDate: "06/15/2021",
      }),
    ),
  );
}

function row(
  npi: fc.Arbitrary<string>,
  entityType: fc.Arbitrary<string>,
): fc.Arbitrary<RawRow> {
  const values: {
    [Column in keyof Required<RowValues>]: fc.Arbitrary<string>;
  } = {
    npi,
    entityType,
    organization: oftenOneOf(ORGANIZATIONS),
    last: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...COMMON_LAST_NAMES) },
      { weight: 4, arbitrary: oftenOneOf(LAST_NAMES) },
    ),
    first: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...COMMON_FIRST_NAMES) },
      { weight: 4, arbitrary: oftenOneOf(FIRST_NAMES) },
    ),
    middle: oftenOneOf([...FIRST_NAMES, "'ANNE", "-Quentin", "3RD"]),
    credential: oftenOneOf(["MD", "M.D.", "D.O., PH.D.", '"RN"']),
    address1: oftenOneOf([
      "1 MAIN ST",
      "1 MAIN ST, STE. 2",
      "P.O. BOX 9",
      "1\nMAIN ST",
      "1 MAIN ST\r\nREAR",
      'THE "ANNEX"',
    ]),
    address2: fc.oneof(
      fc.constant(""),
      oftenOneOf(["STE 2", "2\tND FLOOR", "#2"]),
    ),
    city: oftenOneOf(CITIES),
    state: oftenOneOf(STATES),
    postalCode: oftenOneOf(POSTAL_CODES),
    country: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...COUNTRIES) },
      fc.constantFrom(...SILENT),
    ),
    enumerationDate: fc.constantFrom(...DATES, ...NO_DATES),
    lastUpdated: fc.constantFrom(...DATES, ...DATES, ...NO_DATES),
    deactivationDate: rareDate(),
    reactivationDate: rareDate(),
  };
  return fc
    .tuple(fc.record(values), fc.nat(19), taxonomySlots())
    .map(([published, homeless, slots]) => {
      const full = rawRow(published, slots);
      return homeless === 0 ? withValues(full, NO_ADDRESS) : full;
    });
}

const NO_ADDRESS: RowValues = {
  address1: "",
  address2: "--",
  city: "<UNAVAIL>",
  state: "",
  postalCode: "  ",
  country: "",
};

function oftenOneOf(pool: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 16, arbitrary: fc.constantFrom(...pool) },
    { weight: 2, arbitrary: fc.constantFrom(...SILENT) },
    { weight: 1, arbitrary: fc.constantFrom(...TALKING) },
  );
}

function rareDate(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant("") },
    fc.constantFrom(...DATES),
    { weight: 1, arbitrary: fc.constantFrom(...NO_DATES) },
  );
}

/** Mostly the first slot and its switch; else any slots, filled or not, with any switches, also several of `Y`. */
function taxonomySlots(): fc.Arbitrary<TaxonomySlot[]> {
  const primary = fc.record({
    code: fc.constantFrom(...TAXONOMY_CODES),
    primary: fc.constant("Y"),
  });
  const any = fc.record({
    code: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...TAXONOMY_CODES) },
      fc.constantFrom(...SILENT),
    ),
    primary: fc.constantFrom("N", "N", "N", "N", "Y", "X", ""),
  });
  return fc.oneof(
    { weight: 3, arbitrary: fc.tuple(primary) },
    { weight: 2, arbitrary: fc.array(any, { maxLength: 4 }) },
    {
      weight: 1,
      arbitrary: fc.array(any, {
        minLength: TAXONOMY_SLOTS,
        maxLength: TAXONOMY_SLOTS,
      }),
    },
  );
}

/** NPIs that start with 1 and with 2, some neighbours, some far apart. */
function arbitraryNpi(npis: number): fc.Arbitrary<string> {
  return fc
    .nat(npis - 1)
    .map((index) =>
      inventedNpi(
        index % 3 === 0 ? 100_000_000 + index : 299_999_999 - index * 316_067,
      ),
    );
}

/** The fixed centroids, and a few anywhere for ZIPs without one, with six decimals like published tables. */
export function arbitraryCentroids(): fc.Arbitrary<Centroids> {
  const zip = fc.nat(99_999).map((number) => String(number).padStart(5, "0"));
  const more = fc.array(fc.tuple(zip, arbitraryPoint()), { maxLength: 8 });
  return more.map((pairs) => new Map([...pairs, ...CENTROIDS]));
}

/** A point anywhere, in six decimals. */
export function arbitraryPoint(): fc.Arbitrary<Point> {
  const lat = fc.integer({ min: -90_000_000, max: 90_000_000 });
  const lng = fc.integer({ min: -180_000_000, max: 180_000_000 });
  return fc.tuple(lat, lng).map(([microLat, microLng]) => ({
    lat: microLat / 1e6,
    lng: microLng / 1e6,
  }));
}
