/** Registry rows as the official file holds them: 329 columns (V1) or 330 (V2), in CSV. */

import {
  type RawRow,
  TAXONOMY_SLOTS,
  taxonomyCodeColumn,
  taxonomySwitchColumn,
} from "./raw-row.ts";

/** How a file is written. Official files quote every value and hold the official columns in order. */
export interface CsvLayout {
  /** Column names in the file's order, as `officialColumns` gives them, reordered, or with others added. */
  columns: readonly string[];
  quotes: "always" | "when needed";
  newline: "\n" | "\r\n";
  /** True if the file starts with a byte order mark. */
  bom: boolean;
  /** True if the last row ends with a newline. */
  lastNewline: boolean;
}

type LayoutVersion = "V1" | "V2";

/** The layout of today's official files. */
export function officialLayout(): CsvLayout {
  return {
    columns: officialColumns("V2"),
    quotes: "always",
    newline: "\n",
    bom: false,
    lastNewline: true,
  };
}

/** The text of a file, header row first. Throws on a value for a column that the layout lacks. */
export function registryCsv(
  rows: readonly RawRow[],
  layout: CsvLayout,
): string {
  const known = new Set(layout.columns);
  const lines = rows.map((row) => {
    const stray = Object.keys(row).find((column) => !known.has(column));
    if (stray !== undefined)
      throw new Error(`the layout has no column ${stray}`);
    return line(
      layout.columns.map((column) => row[column] ?? ""),
      layout,
    );
  });
  const text = [line(layout.columns, layout), ...lines].join(layout.newline);
  return (
    (layout.bom ? "\u{FEFF}" : "") +
    text +
    (layout.lastNewline ? layout.newline : "")
  );
}

function line(values: readonly string[], { quotes }: CsvLayout): string {
  return values
    .map((value) =>
      quotes === "always" || /[",\r\n]/.test(value) ? quoted(value) : value,
    )
    .join(",");
}

function quoted(value: string): string {
  return `"${value.replaceAll('"', '""')}"`;
}

/** The official column names in their order (NPPES data dissemination file headers of 2016 and 2025). */
export function officialColumns(version: LayoutVersion): string[] {
  return [
    "NPI",
    "Entity Type Code",
    "Replacement NPI",
    "Employer Identification Number (EIN)",
    "Provider Organization Name (Legal Business Name)",
    "Provider Last Name (Legal Name)",
    "Provider First Name",
    "Provider Middle Name",
    "Provider Name Prefix Text",
    "Provider Name Suffix Text",
    "Provider Credential Text",
    "Provider Other Organization Name",
    "Provider Other Organization Name Type Code",
    "Provider Other Last Name",
    "Provider Other First Name",
    "Provider Other Middle Name",
    "Provider Other Name Prefix Text",
    "Provider Other Name Suffix Text",
    "Provider Other Credential Text",
    "Provider Other Last Name Type Code",
    ...addressColumns("Mailing Address"),
    ...addressColumns("Practice Location Address"),
    "Provider Enumeration Date",
    "Last Update Date",
    "NPI Deactivation Reason Code",
    "NPI Deactivation Date",
    "NPI Reactivation Date",
    version === "V1" ? "Provider Gender Code" : "Provider Sex Code",
    "Authorized Official Last Name",
    "Authorized Official First Name",
    "Authorized Official Middle Name",
    "Authorized Official Title or Position",
    "Authorized Official Telephone Number",
    ...numbered(TAXONOMY_SLOTS, (slot) => [
      taxonomyCodeColumn(slot),
      `Provider License Number_${slot}`,
      `Provider License Number State Code_${slot}`,
      taxonomySwitchColumn(slot),
    ]),
    ...numbered(50, (slot) => [
      `Other Provider Identifier_${slot}`,
      `Other Provider Identifier Type Code_${slot}`,
      `Other Provider Identifier State_${slot}`,
      `Other Provider Identifier Issuer_${slot}`,
    ]),
    "Is Sole Proprietor",
    "Is Organization Subpart",
    "Parent Organization LBN",
    "Parent Organization TIN",
    "Authorized Official Name Prefix Text",
    "Authorized Official Name Suffix Text",
    "Authorized Official Credential Text",
    ...numbered(TAXONOMY_SLOTS, (slot) => [
      `Healthcare Provider Taxonomy Group_${slot}`,
    ]),
    ...(version === "V1" ? [] : ["Certification Date"]),
  ];
}

function addressColumns(which: string): string[] {
  return [
    `Provider First Line Business ${which}`,
    `Provider Second Line Business ${which}`,
    ...[
      "City Name",
      "State Name",
      "Postal Code",
      "Country Code (If outside U.S.)",
      "Telephone Number",
      "Fax Number",
    ].map((part) => `Provider Business ${which} ${part}`),
  ];
}

function numbered(
  count: number,
  columns: (slot: number) => string[],
): string[] {
  return Array.from({ length: count }, (_, index) => columns(index + 1)).flat();
}
