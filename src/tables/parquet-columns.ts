import type { ParquetWriter } from "hyparquet-writer";
import type { DetailPart } from "../contract/detail-parts.ts";
import { EXPORT_COLUMNS } from "../contract/export-columns.ts";
import { ProviderRecord } from "../contract/provider.ts";

const DAY_MS = 86_400_000;

type SchemaElement = ParquetWriter["schema"][number];

/** A column of a Parquet file. */
export interface ParquetColumn {
  readonly name: string;
  /** The column, and what is nested in it, depth first. */
  readonly elements: readonly SchemaElement[];
  /** Returns the value of a row, which was parsed from JSON; null if it has none. */
  valueOf(row: unknown): unknown;
}

/** A nested value: its elements, and how it is made of a JSON value. Absent if JSON's value is taken as it is. */
interface Nested {
  readonly elements: readonly SchemaElement[];
  readonly convert?: (value: unknown) => unknown;
}

/** The days since 1970-01-01 of dates that were converted. */
const days = new Map<string, number>();

/** Lists the columns of CSV, and one for each part of the details, with the lists and members of the record. */
export function parquetColumns(parts: readonly DetailPart[]): ParquetColumn[] {
  return [...recordColumns(), ...parts.map((part) => partColumn(part))];
}

/** Lists the columns of CSV, whose rows are records. */
export function recordColumns(): ParquetColumn[] {
  return EXPORT_COLUMNS.map(({ name, path, type }) => {
    const column: Nested = type === "date" ? date(name) : text(name);
    const { convert = same, elements } = column;
    const [member = "", inner] = path.split(".");
    return {
      name,
      elements,
      valueOf(record) {
        const value = memberOf(record, member);
        return convert(inner === undefined ? value : memberOf(value, inner));
      },
    };
  });
}

/** Makes the column of a part of the details, as it is nested in a record. */
function partColumn(part: DetailPart): ParquetColumn {
  const { convert = same, elements } = nested(
    part,
    ProviderRecord.properties[part],
  );
  return {
    name: part,
    elements,
    valueOf: (record) => convert(memberOf(record, part)),
  };
}

/**
 * Lists a column for each member of a part of the details, or of its entries if it is a list; those of a member that
 * is an object start with its name. `valueOf` finds the part, or its entry, in a row.
 */
export function memberColumns(
  part: DetailPart,
  prefix: string,
  valueOf: (row: unknown) => unknown,
): ParquetColumn[] {
  const schema = ProviderRecord.properties[part];
  const entry = memberOf(schema, "items") ?? schema;
  return columnsOfMembers(objectOf(entry), prefix, valueOf);
}

function columnsOfMembers(
  schema: object,
  prefix: string,
  valueOf: (row: unknown) => unknown,
): ParquetColumn[] {
  return membersOf(schema).flatMap(([member, inner]) => {
    const name = prefix + member;
    const value = (row: unknown): unknown => memberOf(valueOf(row), member);
    if (typesOf(inner).has("object"))
      return columnsOfMembers(inner, `${name}_`, value);
    const { convert = same, elements } = nested(name, inner);
    return [{ name, elements, valueOf: (row) => convert(value(row)) }];
  });
}

/** Names a column's type as SQL does. */
export function sqlType({ elements: [first] }: ParquetColumn): string {
  switch (first?.converted_type) {
    case "DATE":
      return "DATE";
    case "LIST":
      return "VARCHAR[]";
    default:
      return first?.type === "BOOLEAN" ? "BOOLEAN" : "VARCHAR";
  }
}

/** Makes a column of texts, of the member of rows that has its name. */
export function textColumn(name: string): ParquetColumn {
  return { name, ...text(name), valueOf: (row) => memberOf(row, name) };
}

/** Makes a column of dates, of the member of rows that has its name. */
export function dateColumn(name: string): ParquetColumn {
  return {
    name,
    elements: date(name).elements,
    valueOf: (row) => dayOf(memberOf(row, name)),
  };
}

/** Makes a column of lists of texts, of the member of rows that has its name. */
export function textListColumn(name: string): ParquetColumn {
  return {
    name,
    elements: listElements(name, text("element").elements),
    valueOf: (row) => memberOf(row, name),
  };
}

function nested(name: string, schema: object): Nested {
  const types = typesOf(schema);
  if (types.has("array")) return list(name, schema);
  if (types.has("object")) return group(name, schema);
  if (types.has("boolean"))
    return { elements: [{ name, type: "BOOLEAN", ...OPTIONAL }] };
  return name.endsWith("_date") ? date(name) : text(name);
}

function list(name: string, schema: object): Nested {
  const { convert, elements } = nested(
    "element",
    objectOf(memberOf(schema, "items")),
  );
  return {
    elements: listElements(name, elements),
    ...(convert && {
      convert: (value) => (Array.isArray(value) ? value.map(convert) : null),
    }),
  };
}

function listElements(
  name: string,
  elements: readonly SchemaElement[],
): readonly SchemaElement[] {
  return [
    { name, converted_type: "LIST", num_children: 1, ...OPTIONAL },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    ...elements,
  ];
}

function group(name: string, schema: object): Nested {
  const members = membersOf(schema).map(([member, inner]) => ({
    member,
    value: nested(member, inner),
  }));
  const converted = members.filter(({ value }) => value.convert !== undefined);
  return {
    elements: [
      { name, num_children: members.length, ...OPTIONAL },
      ...members.flatMap(({ value }) => value.elements),
    ],
    ...(converted.length > 0 && {
      convert: (value) =>
        value === null || value === undefined
          ? null
          : {
              ...Object(value),
              ...Object.fromEntries(
                converted.map(({ member, value: { convert } }) => [
                  member,
                  convert?.(memberOf(value, member)),
                ]),
              ),
            },
    }),
  };
}

const OPTIONAL = { repetition_type: "OPTIONAL" } as const;

function text(name: string): { readonly elements: readonly SchemaElement[] } {
  return {
    elements: [
      { name, type: "BYTE_ARRAY", converted_type: "UTF8", ...OPTIONAL },
    ],
  };
}

function date(name: string): Nested {
  return {
    elements: [{ name, type: "INT32", converted_type: "DATE", ...OPTIONAL }],
    convert: dayOf,
  };
}

/** Counts days since 1970-01-01. */
function dayOf(value: unknown): number | null {
  if (typeof value !== "string") return null;
  let day = days.get(value);
  if (day === undefined) days.set(value, (day = Date.parse(value) / DAY_MS));
  return day;
}

function same(value: unknown): unknown {
  return value ?? null;
}

function typesOf(schema: object): Set<unknown> {
  return new Set([memberOf(schema, "type")].flat());
}

function membersOf(schema: object): [string, object][] {
  return Object.entries(objectOf(memberOf(schema, "properties"))).map(
    ([member, inner]) => [member, objectOf(inner)],
  );
}

/** Returns a member of a value that was parsed from JSON; null if it has none. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? (value[name] ?? null) : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function objectOf(value: unknown): object {
  return Object(value);
}
