/** The invented providers that tests of the HTTP service ask for. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Directory } from "../../../../src/search/directory.ts";
import type { ParsedDirectory } from "./parsed-directory.ts";
import {
  buildDirectory,
  writeSnapshot,
  type DirectoryContents,
} from "./built-directory.ts";
import { inventedNpi } from "../registry/invented-npi.ts";
import { rawRow } from "../registry/raw-row.ts";
import type { RawRow, RowValues } from "../registry/raw-row.ts";

/** NPIs of providers with something particular about them. */
export const SAMPLE = {
  /** Maria Ann O'Brien, MD, family medicine, St. Louis MO 63101. */
  person: npi(1),
  /** Lakeside Invented Clinic, Springfield IL 62701; its taxonomy has no display name. */
  organization: npi(2),
  /** A number and a date, and nothing else. */
  withheld: npi(3),
  /** Deactivated, with a reactivation older than the deactivation, so that its details show. */
  deactivated: npi(4),
  /** In Toronto, Canada. */
  foreign: npi(5),
  /** An individual without address, taxonomy, first name and credential. */
  bare: npi(6),
  /** Valid, and in no directory. */
  absent: npi(900),
} as const;

/** How many Testcases there are, First names 000 to this minus one, in Springfield IL 62704. */
export const CROWD = 130;

const FAMILY = "207Q00000X";
const UNNAMED = "999X00000X";

export const CENTROIDS = new Map([
  ["62701", { lat: 39.8, lng: -89.65 }],
  ["62704", { lat: 39.77, lng: -89.69 }],
  ["63101", { lat: 38.63, lng: -90.19 }],
]);

const CONTENTS: DirectoryContents = {
  id: "20261116T031500000Z",
  createdAt: "2026-11-16T03:15:00.123Z",
  rows: [...particular(), ...crowd()],
  taxonomyNames: new Map([[FAMILY, "Family Medicine Physician"]]),
  centroids: CENTROIDS,
};

/**
 * The sample, or with `id` and `createdAt` the same providers as another snapshot has them; `rows` and `centroids`
 * replace the sample's.
 */
export function sampleDirectory(
  changed: Partial<Omit<DirectoryContents, "taxonomyNames">> = {},
): Promise<ParsedDirectory> {
  return buildDirectory({ ...CONTENTS, ...changed });
}

/** Makes the sample the current snapshot of a data folder. */
export function writeSample(dataDir: string): void {
  const snapshots = join(dataDir, "snapshots");
  const folder = join(snapshots, CONTENTS.id);
  mkdirSync(folder, { recursive: true });
  writeSnapshot(CONTENTS, folder);
  writeFileSync(join(snapshots, "current"), CONTENTS.id);
}

/** Many invented organizations, each with the values that `valuesOf` gives for its number. */
export function organizations(
  count: number,
  valuesOf: (number: number) => RowValues,
): Promise<ParsedDirectory> {
  return sampleDirectory({
    id: "20261123T031500000Z",
    rows: Array.from({ length: count }, (_, number) =>
      rawRow({
        npi: inventedNpi(210_000_000 + number),
        entityType: "2",
        state: "IL",
        ...valuesOf(number),
      }),
    ),
  });
}

function particular(): RawRow[] {
  return [
    row(
      SAMPLE.person,
      {
        entityType: "1",
        first: "MARIA",
        middle: "ANN",
        last: "O'BRIEN",
        credential: "MD",
        address1: "100 INVENTED AVE",
        address2: "STE 2",
        city: "ST. LOUIS",
        state: "MO",
        postalCode: "631011234",
        country: "US",
      },
      FAMILY,
      {
        "Provider License Number_1": "INV-1",
        "Provider License Number State Code_1": "MO",
        "Healthcare Provider Taxonomy Code_4": UNNAMED,
        "Healthcare Provider Primary Taxonomy Switch_4": "N",
        "Healthcare Provider Taxonomy Group_4":
          "193200000X MULTI-SPECIALTY GROUP",
        "Provider Other Last Name": "EXAMPLE",
        "Provider Other First Name": "MARIA",
        "Provider Other Last Name Type Code": "1",
        "Provider Sex Code": "F",
        "Is Sole Proprietor": "Y",
        "Provider Business Practice Location Address Telephone Number":
          "3145550100",
        "Provider First Line Business Mailing Address": "PO BOX 9",
        "Provider Business Mailing Address City Name": "ST. LOUIS",
        "Provider Business Mailing Address State Name": "Missouri",
        "Provider Business Mailing Address Postal Code": "631010009",
        "Provider Business Mailing Address Country Code (If outside U.S.)":
          "US",
        "Provider Business Mailing Address Fax Number": "3145550109",
        "Other Provider Identifier_1": "M-1",
        "Other Provider Identifier Type Code_1": "05",
        "Other Provider Identifier State_1": "MO",
        "Other Provider Identifier_3": "P-3",
        "Other Provider Identifier Type Code_3": "01",
        "Other Provider Identifier Issuer_3": "INVENTED HEALTH PLAN",
      },
    ),
    row(
      SAMPLE.organization,
      {
        entityType: "2",
        organization: "LAKESIDE INVENTED CLINIC",
        address1: "5 NOWHERE RD",
        city: "SPRINGFIELD",
        state: "IL",
        postalCode: "62701",
        country: "US",
      },
      UNNAMED,
    ),
    rawRow({ npi: SAMPLE.withheld, deactivationDate: "06/30/2019" }),
    row(
      SAMPLE.deactivated,
      {
        entityType: "1",
        first: "JOSÉ",
        last: "RETIRED-EXAMPLE",
        city: "SPRINGFIELD",
        state: "ILLINOIS",
        postalCode: "62704",
        deactivationDate: "02/01/2020",
        reactivationDate: "01/01/2015",
      },
      FAMILY,
    ),
    row(
      SAMPLE.foreign,
      {
        entityType: "2",
        organization: "MAPLE INVENTED HOSPITAL",
        city: "TORONTO",
        state: "ON",
        postalCode: "M5V 2T6",
        country: "CA",
      },
      FAMILY,
    ),
    row(SAMPLE.bare, { entityType: "1", last: "NOBODY-EXAMPLE" }),
  ];
}

function crowd(): RawRow[] {
  return Array.from({ length: CROWD }, (_, index) =>
    row(
      npi(1_000 + index),
      {
        entityType: "1",
        first: `N${String(index).padStart(3, "0")}`,
        last: "TESTCASE",
        address1: `${index} EXAMPLE ST`,
        city: "SPRINGFIELD",
        state: "IL",
        postalCode: "62704",
        country: "US",
      },
      FAMILY,
    ),
  );
}

function row(
  number: string,
  values: RowValues,
  taxonomy?: string,
  details: RawRow = {},
): RawRow {
  const dates = { enumerationDate: "03/05/2012", lastUpdated: "08/19/2025" };
  const slots =
    taxonomy === undefined ? [] : [{ code: taxonomy, primary: "Y" }];
  return { ...rawRow({ npi: number, ...dates, ...values }, slots), ...details };
}

function npi(index: number): string {
  return inventedNpi(200_000_000 + index);
}

/** A directory whose look-ups throw: their methods work on what is not theirs, the same as a fault of the engine. */
export function faultyDirectory(directory: Directory | null): Directory | null {
  if (directory === null) return null;
  const lookup: unknown = Object.create(directory.lookup);
  return Object.create(directory, { lookup: { value: lookup } });
}
