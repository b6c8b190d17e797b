import type { Provider } from "../../contract/provider.ts";
import { NO_STATE, stateNumberOfName } from "../../contract/states.ts";
import { cityKey, fold } from "../../text/fold.ts";
import type { RosterColumn, RosterField } from "./roster-columns.ts";

/** The part of a record that is compared. */
export type ComparedProvider = Pick<
  Provider,
  | "entity_type"
  | "name"
  | "organization_name"
  | "practice_address"
  | "primary_taxonomy"
>;

/** A cell of a list that differs from the registry. */
export interface RosterDifference {
  readonly column: RosterColumn;
  /** The registry's value. */
  readonly value: string;
}

const TAXONOMY_CODE = /\b[0-9]{3}[0-9A-Z]{6}X\b/;
const ZIP_DIGITS = 5;
const ZIP_PLUS_4 = /^(\d{3,5})(?:-\d{4})?$|^(\d{3,5})\d{4}$/;

/**
 * Compares the cells of a row with the registry, folded as searches do. Blank cells are not compared, nor what the
 * registry doesn't say. An organization's name differs from a last name, but no individual's from that of an
 * organization, which may be the employer's.
 */
export function rosterDifferences(
  columns: readonly RosterColumn[],
  cells: readonly string[],
  provider: ComparedProvider,
): RosterDifference[] {
  return columns.flatMap((column) => {
    const cell = cells[column.index]?.trim() ?? "";
    const value = registryValue(column.field, cell, provider);
    if (fold(cell) === "" || value === null || value === "") return [];
    const key = KEYS[column.field] ?? fold;
    return key(cell) === key(value) ? [] : [{ column, value }];
  });
}

/** Returns the registry's value of a field; null if there is none to compare. */
function registryValue(
  field: RosterField,
  cell: string,
  {
    name,
    organization_name: organization,
    practice_address: address,
    primary_taxonomy: taxonomy,
  }: ComparedProvider,
): string | null {
  switch (field) {
    case "last_name":
      return name?.last ?? organization;
    case "first_name":
      return name?.first ?? null;
    case "organization_name":
      return organization;
    case "taxonomy":
      return (
        (TAXONOMY_CODE.test(cell.toUpperCase())
          ? taxonomy?.code
          : taxonomy?.description) ?? null
      );
    default:
      return address?.[field] ?? null;
  }
}

/** By which texts of a field are the same, if not folded. */
const KEYS: Partial<Readonly<Record<RosterField, (text: string) => string>>> = {
  city: cityKey,
  state: stateKey,
  postal_code: zipKey,
  taxonomy: taxonomyKey,
};

/** Reads a state's name as its code. */
function stateKey(text: string): string {
  const folded = fold(text);
  const number = stateNumberOfName(folded);
  return number === NO_STATE ? folded : String(number);
}

/** Returns the first five digits of a ZIP code, also if a spreadsheet has removed zeros from its start. */
function zipKey(text: string): string {
  const [, short, long] = ZIP_PLUS_4.exec(text.replaceAll(" ", "")) ?? [];
  return (short ?? long)?.padStart(ZIP_DIGITS, "0") ?? fold(text);
}

/** Returns the code in a text, such as `207RC0000X - Cardiovascular Disease`. */
function taxonomyKey(text: string): string {
  return TAXONOMY_CODE.exec(text.toUpperCase())?.[0] ?? fold(text);
}
