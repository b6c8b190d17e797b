/** A small registry whose providers have further names, taxonomies and locations, imported from the registry's zips. */

import { existsSync } from "node:fs";
import { ParsedDirectory } from "../engine/parsed-directory.ts";
import { DetailsReader } from "../../../../src/snapshot/details/details-reader.ts";
import { rawRow, type RawRow } from "./raw-row.ts";
import {
  LOCATION_COLUMNS,
  OTHER_NAME_COLUMNS,
} from "../reference/reference-details.ts";
import type { ZipRows } from "./registry-zip.ts";
import { npiOf, person, type SmallRegistry } from "./small-registry.ts";

export const FULL_PERIOD = "20050523-20261108";
export const WEEK_PERIOD = "20261109-20261115";

export const FAMILY = "207Q00000X";
export const NURSE = "163W00000X";

/**
 * 1: Pat Example, family medicine, formerly Pat Maiden, also a nurse. 2: a clinic in Toronto with a second location in
 * Chicago. 3: a clinic in Chicago that does business as Sunrise Pharmacy. 4: one of family medicine in Chicago.
 */
export const WIDENED: ZipRows = {
  rows: [
    {
      ...person(1),
      "Healthcare Provider Taxonomy Code_2": NURSE,
      "Healthcare Provider Primary Taxonomy Switch_2": "N",
      "Provider Other Last Name": "MAIDEN",
      "Provider Other First Name": "PAT",
      "Provider Other Last Name Type Code": "1",
    },
    clinic(2, "NORTHERN INVENTED CLINIC", {
      city: "TORONTO",
      state: "ON",
      postalCode: "M5V 2T6",
      country: "CA",
    }),
    clinic(3, "WESTERN INVENTED CLINIC", {
      city: "CHICAGO",
      state: "IL",
      postalCode: "60601",
      country: "US",
    }),
    person(4),
  ],
  otherNames: [otherName(3, "SUNRISE PHARMACY")],
  locations: [
    location(2, "M5V 3K3", "ON", "CA"),
    location(2, "606011234", "IL", "US"),
  ],
};

/** What a registry serves, with its details where it has some. */
export function widenedDirectory(registry: SmallRegistry): ParsedDirectory {
  const { store } = registry;
  const path = store.detailsPathOf(store.currentId() ?? "none");
  return new ParsedDirectory(
    registry.snapshot(),
    existsSync(path) ? new DetailsReader(path) : null,
  );
}

export function otherName(number: number, name: string): RawRow {
  const [npi = "", organization = "", type = ""] = OTHER_NAME_COLUMNS;
  return { [npi]: npiOf(number), [organization]: name, [type]: "3" };
}

function clinic(
  number: number,
  organization: string,
  address: Record<"city" | "state" | "postalCode" | "country", string>,
): RawRow {
  return rawRow({
    npi: npiOf(number),
    entityType: "2",
    organization,
    address1: "5 NOWHERE RD",
    enumerationDate: "05/01/2010",
    lastUpdated: "01/02/2024",
    ...address,
  });
}

export function location(
  number: number,
  postalCode: string,
  state: string,
  country: string,
): RawRow {
  const values = [
    npiOf(number),
    "7 FURTHER ST",
    "",
    "CHICAGO",
    state,
    postalCode,
    country,
    "3125550100",
    "",
    "",
  ];
  return Object.fromEntries(
    LOCATION_COLUMNS.map((column, i) => [column, values[i] ?? ""]),
  );
}
