import { SECTIONS } from "../../contract/provider-fields.ts";
import { RegistryFileError } from "../files/registry-file-error.ts";

const TAXONOMY = SECTIONS.taxonomies.texts;
/** Taxonomy slots of a row: a code, and a switch for the primary one. */
export const TAXONOMY_SLOTS = SECTIONS.taxonomies.slots;

/**
 * The 330 column names of the registry's data file, version 2, in official order (NPPES Data Dissemination, Readme and
 * Code Values; in use since 2025). Version 1 has 329: `Provider Gender Code` instead of `Provider Sex Code`, and no
 * `Certification Date`.
 */
export const OFFICIAL_COLUMNS: readonly string[] = [
  "NPI",
  "Entity Type Code",
  "Replacement NPI",
  "Employer Identification Number (EIN)",
  "Provider Organization Name (Legal Business Name)",
  "Provider Last Name (Legal Name)",
  ...restOfName("Provider"),
  "Provider Other Organization Name",
  "Provider Other Organization Name Type Code",
  "Provider Other Last Name",
  ...restOfName("Provider Other"),
  "Provider Other Last Name Type Code",
  ...Object.values(SECTIONS.mailingAddress.texts),
  ...practiceAddress(),
  "Provider Enumeration Date",
  "Last Update Date",
  "NPI Deactivation Reason Code",
  "NPI Deactivation Date",
  "NPI Reactivation Date",
  "Provider Sex Code",
  "Authorized Official Last Name",
  "Authorized Official First Name",
  "Authorized Official Middle Name",
  "Authorized Official Title or Position",
  "Authorized Official Telephone Number",
  ...slots(TAXONOMY_SLOTS, [
    TAXONOMY.code,
    TAXONOMY.license_number,
    TAXONOMY.license_state,
    TAXONOMY.primary,
  ]),
  ...slots(
    SECTIONS.identifiers.slots,
    Object.values(SECTIONS.identifiers.texts),
  ),
  "Is Sole Proprietor",
  "Is Organization Subpart",
  "Parent Organization LBN",
  "Parent Organization TIN",
  "Authorized Official Name Prefix Text",
  "Authorized Official Name Suffix Text",
  "Authorized Official Credential Text",
  ...slots(TAXONOMY_SLOTS, [TAXONOMY.group]),
  "Certification Date",
];

/**
 * The cells that the service needs, by number: the scanner stores the range of each. 0 means all other cells. The code
 * of taxonomy slot `n` (from 0) is at `taxonomyCode + n`, its switch at `primarySwitch + n`.
 */
export const Cell = {
  npi: 1,
  entityType: 2,
  organization: 3,
  last: 4,
  first: 5,
  middle: 6,
  credential: 7,
  address1: 8,
  address2: 9,
  city: 10,
  state: 11,
  postalCode: 12,
  country: 13,
  enumerationDate: 14,
  lastUpdated: 15,
  deactivationDate: 16,
  reactivationDate: 17,
  taxonomyCode: 18,
  primarySwitch: 33,
} as const;
export const CELL_COUNT = 48;

/** The columns of the cells, by number minus one. */
export const NEEDED_COLUMNS: readonly string[] = [
  "NPI",
  "Entity Type Code",
  "Provider Organization Name (Legal Business Name)",
  "Provider Last Name (Legal Name)",
  "Provider First Name",
  "Provider Middle Name",
  "Provider Credential Text",
  ...practiceAddress().slice(0, 6),
  "Provider Enumeration Date",
  "Last Update Date",
  "NPI Deactivation Date",
  "NPI Reactivation Date",
  ...slots(TAXONOMY_SLOTS, [TAXONOMY.code]),
  ...slots(TAXONOMY_SLOTS, [TAXONOMY.primary]),
];

/** Columns of a file: `cellOfColumn[column]` is the cell's number, 0 for an unused column. */
export interface Header {
  columns: number;
  cellOfColumn: Uint16Array;
}

/** The columns of a kind of file, and what to say if some are missing. */
export interface FileColumns {
  /** The columns of the cells 1, 2, … */
  needed: readonly string[];
  /** The columns of the following cells, each with alternative names; a file may lack any of them. */
  optional: readonly (readonly string[])[];
  /** The name of such a file in messages. */
  what: string;
  /** The advice for a wrong file. */
  advice: string;
}

/**
 * Binds a provider file's columns by name, so order and additional columns do not matter. Names are compared without
 * case and white space. `optional` columns, each with alternative names, get the numbers from CELL_COUNT on and may be
 * missing. Throws RegistryFileError with the file and all missing or repeated columns.
 */
export function bindHeader(
  names: readonly string[],
  file: string,
  optional: readonly (readonly string[])[] = [],
): Header {
  return bindColumns(names, file, {
    needed: NEEDED_COLUMNS,
    optional,
    what: "a complete provider file",
    advice:
      "Give the registry's npidata_pfile CSV, or the zip that contains it",
  });
}

/** Does what bindHeader does, for any file. */
export function bindColumns(
  names: readonly string[],
  file: string,
  { advice, needed, optional, what }: FileColumns,
): Header {
  const places = new Map<string, number>();
  const doubled: string[] = [];
  names.forEach((name, column) => {
    const key = comparable(name);
    if (key === "") return;
    if (places.has(key)) doubled.push(name.trim());
    places.set(key, column);
  });
  const missing = needed.filter((name) => !places.has(comparable(name)));
  if (missing.length > 0) {
    throw new RegistryFileError(
      `${file} is not ${what}: its first line lacks ${list(missing)}. ${advice}.`,
    );
  }
  if (doubled.length > 0) {
    throw new RegistryFileError(
      `${file} has ${list(doubled)} twice in its first line. Give the file as the registry publishes it.`,
    );
  }
  const cellOfColumn = new Uint16Array(names.length);
  needed.forEach((name, index) => {
    const column = places.get(comparable(name));
    if (column !== undefined) cellOfColumn[column] = index + 1;
  });
  optional.forEach((alike, index) => {
    const column = alike
      .map((name) => places.get(comparable(name)))
      .find((place) => place !== undefined);
    if (column !== undefined) cellOfColumn[column] = needed.length + 1 + index;
  });
  return { columns: names.length, cellOfColumn };
}

function comparable(name: string): string {
  return name.replace(/\s+/gu, "").toLowerCase();
}

/** Writes "the column A", "the columns A, B, C and 12 more". */
function list(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `"${name.slice(0, 80)}"`);
  if (names.length === 1) return `the column ${shown.join()}`;
  if (names.length > shown.length)
    return `the columns ${shown.join(", ")} and ${names.length - shown.length} more`;
  return `the columns ${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

function restOfName(of: "Provider" | "Provider Other"): string[] {
  return [
    "First Name",
    "Middle Name",
    "Name Prefix Text",
    "Name Suffix Text",
    "Credential Text",
  ].map((part) => `${of} ${part}`);
}

function practiceAddress(): string[] {
  const business = "Business Practice Location Address";
  return [
    `Provider First Line ${business}`,
    `Provider Second Line ${business}`,
    `Provider ${business} City Name`,
    `Provider ${business} State Name`,
    `Provider ${business} Postal Code`,
    `Provider ${business} Country Code (If outside U.S.)`,
    `Provider ${business} Telephone Number`,
    `Provider ${business} Fax Number`,
  ];
}

/** Columns that are repeated with the suffixes `_1`, `_2`, …, group by group. */
export function slots(count: number, names: readonly string[]): string[] {
  return Array.from({ length: count }, (_, index) =>
    names.map((name) => `${name}_${index + 1}`),
  ).flat();
}
