import type { ColumnSet } from "./explorer/column-sets.ts";
import type { DetailPart } from "./detail-parts.ts";

/** A column of exported tables. */
export interface ExportColumn {
  readonly name: string;
  /** The record's member, with a dot before a member of that. */
  readonly path: string;
  readonly description: string;
  readonly type: "text" | "date" | "number";
}

/** A column whose value is in the details. */
export interface DetailColumn extends ExportColumn {
  /** The part of the details that has it. */
  readonly part: DetailPart;
}

/** The columns of exported tables, in order, if a request names none. A missing value is an empty cell. */
export const EXPORT_COLUMNS = [
  text("npi", "npi", "10 digits"),
  text("entity_type", "entity_type", "`individual`, `organization`, or empty"),
  text("status", "status", "`active` or `deactivated`"),
  text("first_name", "name.first"),
  text("middle_name", "name.middle"),
  text("last_name", "name.last"),
  text("credential", "name.credential"),
  text("organization_name", "organization_name"),
  date("enumeration_date", "enumeration_date"),
  date("last_updated", "last_updated"),
  date("deactivation_date", "deactivation_date"),
  text("taxonomy_code", "primary_taxonomy.code"),
  text("taxonomy_description", "primary_taxonomy.description"),
  text("address_1", "practice_address.address_1"),
  text("address_2", "practice_address.address_2"),
  text("city", "practice_address.city"),
  text("state", "practice_address.state"),
  text("postal_code", "practice_address.postal_code"),
  text("country", "practice_address.country"),
] as const satisfies readonly ExportColumn[];

/** Further columns of the record. */
const ZIP_COLUMNS = [
  text(
    "zip5",
    "practice_address.postal_code",
    "The first five digits of `postal_code`, of U.S. addresses",
  ),
  text(
    "zip",
    "practice_address.postal_code",
    "`postal_code`, with a hyphen in ZIP+4: `62701-1234`",
  ),
] as const satisfies readonly ExportColumn[];

/** The column that only lists by distance have. */
const DISTANCE = {
  ...text("distance_miles", "distance_miles"),
  type: "number",
} as const satisfies ExportColumn;

/** Further columns, of the details. */
export const DETAIL_COLUMNS: readonly DetailColumn[] = [
  ofPart("identity", "phone"),
  ofPart("identity", "fax"),
  ofPart("identity", "name_prefix"),
  ofPart("identity", "name_suffix"),
  ofPart("identity", "sex"),
  ofPart("identity", "certification_date"),
  ofPart("identity", "reactivation_date"),
  ofPart("identity", "replacement_npi"),
  ...(
    [
      ["mailing_address_1", "address_1"],
      ["mailing_address_2", "address_2"],
      ["mailing_city", "city"],
      ["mailing_state", "state"],
      ["mailing_postal_code", "postal_code"],
      ["mailing_country", "country"],
      ["mailing_phone", "phone"],
      ["mailing_fax", "fax"],
    ] as const
  ).map(([name, member]) => ofPart("mailing_address", member, name)),
  {
    ...ofPart("taxonomies", "license_number"),
    description: "`license_number` of the primary taxonomy",
  },
  {
    ...ofPart("taxonomies", "license_state"),
    description: "`license_state` of the primary taxonomy",
  },
  {
    ...ofPart("taxonomies", "code", "taxonomy_codes"),
    description: "The codes of all `taxonomies`, with a space between them",
  },
];

/** All columns that an export can name. */
export const ALL_COLUMNS: readonly (ExportColumn | DetailColumn)[] = [
  ...EXPORT_COLUMNS,
  ...ZIP_COLUMNS,
  ...DETAIL_COLUMNS,
];

/** All columns that a list by distance can name. */
export const NEARBY_COLUMNS: typeof ALL_COLUMNS = [...ALL_COLUMNS, DISTANCE];

/** The column that only mailing lists have. */
export const MAILING_ZIP: DetailColumn = {
  ...ofPart("mailing_address", "postal_code", "mailing_zip"),
  description: "`mailing_postal_code`, with a hyphen in ZIP+4",
};

/** The columns of the explorer's downloads, which people open, in order, by the names of `COLUMN_SETS`. */
export const COLUMNS_OF_SET: Readonly<Record<ColumnSet, readonly string[]>> = {
  calls: [
    "npi",
    "last_name",
    "first_name",
    "organization_name",
    "taxonomy_description",
    "phone",
    "fax",
    "address_1",
    "address_2",
    "city",
    "state",
    "zip",
    "status",
    DISTANCE.name,
  ],
  mail: [
    "npi",
    "first_name",
    "middle_name",
    "last_name",
    "credential",
    "organization_name",
    "mailing_address_1",
    "mailing_address_2",
    "mailing_city",
    "mailing_state",
    MAILING_ZIP.name,
    "mailing_country",
  ],
  all: NEARBY_COLUMNS.map(({ name }) => name),
};

/** The column of the practice address that replaces one of a mailing address that isn't stored. */
export const INSTEAD_OF_MAILING: Readonly<Record<string, string>> = {
  mailing_address_1: "address_1",
  mailing_address_2: "address_2",
  mailing_city: "city",
  mailing_state: "state",
  [MAILING_ZIP.name]: "zip",
  mailing_country: "country",
};

/** A column of the record. */
export type RecordColumnName = (
  typeof EXPORT_COLUMNS | typeof ZIP_COLUMNS | [typeof DISTANCE]
)[number]["name"];

function text<Name extends string>(
  name: Name,
  path: string,
  description = `\`${path}\``,
) {
  return { name, path, description, type: "text" } as const;
}

function date<Name extends string>(name: Name, path: string) {
  return { name, path, description: `\`${path}\``, type: "date" } as const;
}

function ofPart(
  part: DetailPart,
  member: string,
  name: string = member,
): DetailColumn {
  return { ...text(name, `${part}.${member}`), part };
}
