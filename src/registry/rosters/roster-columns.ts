import { fold } from "../../text/fold.ts";

/** A field that a user's list may have as the registry does, by the name of the exported column. */
export type RosterField =
  | "last_name"
  | "first_name"
  | "organization_name"
  | "city"
  | "state"
  | "postal_code"
  | "taxonomy";

/** A column of a list that is compared with the registry. */
export interface RosterColumn {
  /** Its place in the header, from 0. */
  readonly index: number;
  readonly field: RosterField;
}

/** The fields, each with the headers of its columns, folded. */
const HEADERS: readonly (readonly [RosterField, string])[] = [
  ["last_name", "LAST NAME,LASTNAME,LAST,SURNAME,FAMILY NAME"],
  ["first_name", "FIRST NAME,FIRSTNAME,FIRST,GIVEN NAME"],
  [
    "organization_name",
    "ORGANIZATION NAME,ORGANIZATION,ORG NAME,FACILITY NAME,FACILITY,LEGAL BUSINESS NAME,BUSINESS NAME",
  ],
  ["city", "CITY,CITY NAME"],
  ["state", "STATE,STATE CODE,STATE NAME,ST"],
  ["postal_code", "ZIP,ZIP CODE,ZIPCODE,ZIP5,POSTAL CODE,POSTALCODE"],
  [
    "taxonomy",
    "SPECIALTY,SPECIALTY DESCRIPTION,TAXONOMY,TAXONOMY CODE,TAXONOMY DESCRIPTION",
  ],
];
/** Words that may be before a header, and mean nothing here. */
const BEFORE = /^(?:PROVIDER|PRACTICE|PRIMARY) (?=\w)/;

const FIELD_OF_HEADER: ReadonlyMap<string, RosterField> = new Map(
  HEADERS.flatMap(([field, headers]) =>
    headers.split(",").map((header) => [header, field]),
  ),
);

/** Headers of the column with the NPIs, folded, the usual one first. */
const NPI_HEADERS = [
  "NPI",
  "NPI NUMBER",
  "NPI NO",
  "NPI ID",
  "PROVIDER NPI",
  "INDIVIDUAL NPI",
  "NATIONAL PROVIDER IDENTIFIER",
];

/** Finds the columns of a header that the registry has too. */
export function comparedColumns(header: readonly string[]): RosterColumn[] {
  return header.flatMap((text, index) => {
    const field = FIELD_OF_HEADER.get(fold(text).replace(BEFORE, ""));
    return field === undefined ? [] : [{ index, field }];
  });
}

/** Finds the column with a name, in any case; -1 if there is none. */
export function columnNamed(header: readonly string[], name: string): number {
  const wanted = name.trim().toLowerCase();
  return header.findIndex((cell) => cell.trim().toLowerCase() === wanted);
}

/** Finds the column with the NPIs by its usual names; -1 if there is none. */
export function npiColumn(header: readonly string[]): number {
  const folded = header.map((cell) => fold(cell));
  const found = NPI_HEADERS.map((name) => folded.indexOf(name));
  return found.find((index) => index >= 0) ?? -1;
}
