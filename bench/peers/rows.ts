import { RegistryFile } from "../../src/registry/files/open-file.ts";
import { readRegistryFile } from "../../src/registry/rows/read-registry-file.ts";
import {
  Text,
  type ProviderRow,
} from "../../src/registry/rows/provider-row.ts";
import { isMilitary, NO_STATE } from "../../src/contract/states.ts";
import { cityKey, fold, foldCity } from "../../src/text/fold.ts";

export type Value = string | number | null;

/**
 * The columns of a provider in every peer, with types that all of them know: what the API shows, and what it compares.
 * Days are counted as in `ProviderRow`. `city_order` is the folded city, and `city_key`
 * the same without spaces; `zip` is -1 for none; `near_zip` is null where the ZIP lies at no place.
 */
const PROVIDER_COLUMNS = [
  ["npi", "bigint"],
  ["entity", "smallint"],
  ["deactivated", "smallint"],
  ["enumeration_day", "integer"],
  ["updated_day", "integer"],
  ["deactivation_day", "integer"],
  ["organization", "text"],
  ["last_name", "text"],
  ["first_name", "text"],
  ["middle_name", "text"],
  ["credential", "text"],
  ["address_1", "text"],
  ["address_2", "text"],
  ["city", "text"],
  ["state", "text"],
  ["postal_code", "text"],
  ["country", "text"],
  ["taxonomy", "text"],
  ["us_state", "text"],
  ["city_key", "text"],
  ["city_order", "text"],
  ["zip", "integer"],
  ["near_zip", "integer"],
] as const;

/**
 * The folded names. `name_key` is a space and then the first and last name of an individual, or the name of an
 * organization, so every word follows a space.
 */
const NAME_COLUMNS = [
  ["first_key", "text"],
  ["last_key", "text"],
  ["name_key", "text"],
] as const;

/** Columns with their types, for statements that make tables; a row has them all. */
export const PROVIDER_TYPED = typed(PROVIDER_COLUMNS);
export const NAME_TYPED = typed(NAME_COLUMNS);
export const ROW_LENGTH = PROVIDER_COLUMNS.length + NAME_COLUMNS.length;
/** Their names, for statements that copy them. */
export const PROVIDER_NAMES = named(PROVIDER_COLUMNS);
export const NAME_NAMES = named(NAME_COLUMNS);

/** The columns that an entry of a page shows. */
export const ENTRY_COLUMNS = [
  "npi",
  "entity",
  "deactivated",
  "organization",
  "last_name",
  "first_name",
  "middle_name",
  "credential",
  "city",
  "state",
  "taxonomy",
] as const;

/**
 * The snapshot's order of pages, over the columns above; texts must be compared by their bytes. Providers without a
 * known state come last, sorted only by NPI.
 */
export const SNAPSHOT_ORDER = `us_state IS NULL, us_state,
  CASE WHEN us_state IS NOT NULL THEN city_order END,
  CASE WHEN us_state IS NOT NULL THEN zip END, npi`;

/** Reads a registry file's rows, their values in the order of the columns above; the array is reused. */
export async function readRows(
  path: string,
  onRow: (values: readonly Value[]) => void,
): Promise<void> {
  const values: Value[] = [];
  await using file = await RegistryFile.open(path);
  await readRegistryFile(file.source, {
    onRow(row) {
      fill(values, row);
      onRow(values);
    },
  });
}

function fill(values: Value[], row: ProviderRow): void {
  const hasState = row.state !== NO_STATE;
  const { buffer, byteOffset, length } = row.bytes;
  const bytes = Buffer.from(buffer, byteOffset, length);
  const text = (index: number): string | null => {
    const start = row.start[index]!;
    const end = row.end[index]!;
    return start === end ? null : bytes.toString("utf8", start, end);
  };
  const state = text(Text.state);
  const organization = text(Text.organization);
  const first = text(Text.first);
  const last = text(Text.last);
  const city = text(Text.city);
  const firstKey = key(first);
  const lastKey = key(last);
  const names = [firstKey, lastKey, key(organization)].filter(
    (name) => name !== null,
  );
  let at = 0;
  values[at++] = row.npi;
  values[at++] = row.entityType;
  values[at++] = Number(row.deactivated);
  values[at++] = row.enumerationDate;
  values[at++] = row.lastUpdated;
  values[at++] = row.deactivationDate;
  values[at++] = organization;
  values[at++] = last;
  values[at++] = first;
  values[at++] = text(Text.middle);
  values[at++] = text(Text.credential);
  values[at++] = text(Text.address1);
  values[at++] = text(Text.address2);
  values[at++] = city;
  values[at++] = state;
  values[at++] = text(Text.postalCode);
  values[at++] = text(Text.country);
  values[at++] = text(Text.taxonomy);
  values[at++] = hasState ? state : null;
  values[at++] = city === null ? "" : cityKey(city);
  values[at++] = city === null ? "" : foldCity(city);
  values[at++] = row.zip;
  values[at++] = row.zip < 0 || isMilitary(row.state) ? null : row.zip;
  values[at++] = firstKey;
  values[at++] = lastKey;
  values[at] = names.length === 0 ? null : ` ${names.join(" ")}`;
}

function key(value: string | null): string | null {
  if (value === null) return null;
  const folded = fold(value);
  return folded === "" ? null : folded;
}

type Columns = readonly (readonly [name: string, type: string])[];

function typed(columns: Columns): string {
  return columns.map((column) => column.join(" ")).join(", ");
}

function named(columns: Columns): string {
  return columns.map(([name]) => name).join(", ");
}
