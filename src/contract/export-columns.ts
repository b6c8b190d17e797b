/** A column of exported tables. */
export interface ExportColumn {
  readonly name: string;
  /** The record's member, with a dot before a member of that. */
  readonly path: string;
  readonly description: string;
  readonly type: "text" | "date";
}

/** The columns of exported tables, in order. A value that the registry doesn't have is an empty cell. */
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
