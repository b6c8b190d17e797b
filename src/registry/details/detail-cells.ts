import {
  CELL_COUNT,
  IDENTIFIER_COLUMNS,
  MAILING_COLUMNS,
  TAXONOMY_SLOTS,
} from "../rows/header.ts";
import {
  IDENTITY_TEXTS,
  MAILING_TEXTS,
  MAIN_ROW_NAME_TEXTS,
} from "./detail-blob.ts";

const IDENTITY = CELL_COUNT + 3 * TAXONOMY_SLOTS + 2;
const MAIN_ROW_NAME = IDENTITY + IDENTITY_TEXTS;
const MAILING_ADDRESS = MAIN_ROW_NAME + MAIN_ROW_NAME_TEXTS;
const IDENTIFIERS = MAILING_ADDRESS + MAILING_TEXTS;

/**
 * The cells that only details need, numbered after those of every row (`Cell`). The license number of slot `n` (from 0)
 * is at `license + n`, and so on.
 */
export const DetailCell = {
  license: CELL_COUNT,
  licenseState: CELL_COUNT + TAXONOMY_SLOTS,
  group: CELL_COUNT + 2 * TAXONOMY_SLOTS,
  reason: CELL_COUNT + 3 * TAXONOMY_SLOTS,
  replacementNpi: CELL_COUNT + 3 * TAXONOMY_SLOTS + 1,
  /** The cells of a section's record, in the order of its texts. */
  identity: IDENTITY,
  mainRowName: MAIN_ROW_NAME,
  mailingAddress: MAILING_ADDRESS,
  /** The cells of the records of all slots, one slot after the other. No other cells follow. */
  identifiers: IDENTIFIERS,
} as const;

/** The columns of the cells from CELL_COUNT on, each with its names in older files. A file may lack any of them. */
export const DETAIL_COLUMNS: readonly (readonly string[])[] = [
  ...slots("Provider License Number"),
  ...slots("Provider License Number State Code"),
  ...slots("Healthcare Provider Taxonomy Group"),
  ["NPI Deactivation Reason Code"],
  ["Replacement NPI"],
  ["Provider Sex Code", "Provider Gender Code"],
  ["Is Sole Proprietor"],
  ["Is Organization Subpart"],
  ["Certification Date"],
  ["Provider Name Prefix Text"],
  ["Provider Name Suffix Text"],
  ["Provider Business Practice Location Address Telephone Number"],
  ["Provider Business Practice Location Address Fax Number"],
  ["Parent Organization LBN"],
  ["Authorized Official Name Prefix Text"],
  ["Authorized Official First Name"],
  ["Authorized Official Middle Name"],
  ["Authorized Official Last Name"],
  ["Authorized Official Name Suffix Text"],
  ["Authorized Official Credential Text"],
  ["Authorized Official Title or Position"],
  ["Authorized Official Telephone Number"],
  ["Provider Other Organization Name"],
  ["Provider Other Organization Name Type Code"],
  ["Provider Other Name Prefix Text"],
  ["Provider Other First Name"],
  ["Provider Other Middle Name"],
  ["Provider Other Last Name"],
  ["Provider Other Name Suffix Text"],
  ["Provider Other Credential Text"],
  ["Provider Other Last Name Type Code"],
  ...MAILING_COLUMNS.map((name) => [name]),
  ...IDENTIFIER_COLUMNS.map((name) => [name]),
];

export const ALL_CELL_COUNT = CELL_COUNT + DETAIL_COLUMNS.length;

function slots(name: string): string[][] {
  return Array.from({ length: TAXONOMY_SLOTS }, (_, slot) => [
    `${name}_${slot + 1}`,
  ]);
}
