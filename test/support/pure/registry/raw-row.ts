/** A row of a registry file: its values by official column name. A missing name is blank. */
export type RawRow = Readonly<Record<string, string>>;

/** One taxonomy slot of a row; `primary` is the slot's switch. */
export interface TaxonomySlot {
  code: string;
  primary: string;
}

export const TAXONOMY_SLOTS = 15;

/** The columns used in a provider record, with short names for tests. */
const COLUMNS = [
  ["npi", "NPI"],
  ["entityType", "Entity Type Code"],
  ["organization", "Provider Organization Name (Legal Business Name)"],
  ["last", "Provider Last Name (Legal Name)"],
  ["first", "Provider First Name"],
  ["middle", "Provider Middle Name"],
  ["credential", "Provider Credential Text"],
  ["address1", "Provider First Line Business Practice Location Address"],
  ["address2", "Provider Second Line Business Practice Location Address"],
  ["city", "Provider Business Practice Location Address City Name"],
  ["state", "Provider Business Practice Location Address State Name"],
  ["postalCode", "Provider Business Practice Location Address Postal Code"],
  [
    "country",
    "Provider Business Practice Location Address Country Code (If outside U.S.)",
  ],
  ["enumerationDate", "Provider Enumeration Date"],
  ["lastUpdated", "Last Update Date"],
  ["deactivationDate", "NPI Deactivation Date"],
  ["reactivationDate", "NPI Reactivation Date"],
] as const;

type Short = (typeof COLUMNS)[number][0];
export type RowValues = Partial<Record<Short, string>>;

const COLUMN_OF: ReadonlyMap<Short, string> = new Map(COLUMNS);

/** Builds a row from short names and taxonomy slots, the first slot first. */
export function rawRow(
  values: RowValues,
  slots: readonly TaxonomySlot[] = [],
): RawRow {
  const row: Record<string, string> = {};
  for (const [short, column] of COLUMNS) {
    const value = values[short];
    if (value !== undefined) row[column] = value;
  }
  slots.forEach(({ code, primary }, index) => {
    row[taxonomyCodeColumn(index + 1)] = code;
    row[taxonomySwitchColumn(index + 1)] = primary;
  });
  return row;
}

/** The row with other values. */
export function withValues(row: RawRow, values: RowValues): RawRow {
  return { ...row, ...rawRow(values) };
}

/** A row's value as the file holds it, '' when the row has none. */
export function rawValue(row: RawRow, short: Short): string {
  return row[COLUMN_OF.get(short) ?? ""] ?? "";
}

/** The official name of the code column of a slot, 1–15. */
export function taxonomyCodeColumn(slot: number): string {
  return `Healthcare Provider Taxonomy Code_${slot}`;
}

/** The official name of the primary-switch column of a slot, 1–15. */
export function taxonomySwitchColumn(slot: number): string {
  return `Healthcare Provider Primary Taxonomy Switch_${slot}`;
}

/** The taxonomy slots of a row, all fifteen, as the file holds them. */
export function taxonomySlots(row: RawRow): TaxonomySlot[] {
  return Array.from({ length: TAXONOMY_SLOTS }, (_, index) => ({
    code: row[taxonomyCodeColumn(index + 1)] ?? "",
    primary: row[taxonomySwitchColumn(index + 1)] ?? "",
  }));
}
