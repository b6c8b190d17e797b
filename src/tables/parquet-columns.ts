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
  /** Returns the value of a record, which was parsed from JSON; null if it has none. */
  valueOf(record: unknown): unknown;
}

/** A nested value: its elements, and how it is made of a JSON value. Absent if JSON's value is taken as it is. */
interface Nested {
  readonly elements: readonly SchemaElement[];
  readonly convert?: (value: unknown) => unknown;
}

/** Lists the columns of CSV, and one for each part of the details, with the lists and members of the record. */
export function parquetColumns(parts: readonly DetailPart[]): ParquetColumn[] {
  const days = new Map<string, number>();
  const { properties } = ProviderRecord;
  return [
    ...EXPORT_COLUMNS.map(({ name, path, type }): ParquetColumn => {
      const { convert = same, elements } =
        type === "date" ? date(name) : text(name);
      const [member = "", inner] = path.split(".");
      return {
        name,
        elements,
        valueOf(record) {
          const value = memberOf(record, member);
          return convert(inner === undefined ? value : memberOf(value, inner));
        },
      };
    }),
    ...parts.map((part): ParquetColumn => {
      const { convert = same, elements } = nested(part, properties[part]);
      return {
        name: part,
        elements,
        valueOf: (record) => convert(memberOf(record, part)),
      };
    }),
  ];

  function nested(name: string, schema: object): Nested {
    const types = new Set([memberOf(schema, "type")].flat());
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
      elements: [
        { name, converted_type: "LIST", num_children: 1, ...OPTIONAL },
        { name: "list", repetition_type: "REPEATED", num_children: 1 },
        ...elements,
      ],
      ...(convert && {
        convert: (value) => (Array.isArray(value) ? value.map(convert) : null),
      }),
    };
  }

  function group(name: string, schema: object): Nested {
    const members = Object.entries(
      objectOf(memberOf(schema, "properties")),
    ).map(([member, inner]) => ({
      member,
      value: nested(member, objectOf(inner)),
    }));
    const converted = members.filter(
      ({ value }) => value.convert !== undefined,
    );
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

  /** Counts days since 1970-01-01. */
  function date(name: string): Nested {
    return {
      elements: [{ name, type: "INT32", converted_type: "DATE", ...OPTIONAL }],
      convert(value) {
        if (typeof value !== "string") return null;
        let day = days.get(value);
        if (day === undefined)
          days.set(value, (day = Date.parse(value) / DAY_MS));
        return day;
      },
    };
  }
}

const OPTIONAL = { repetition_type: "OPTIONAL" } as const;

function text(name: string): Nested {
  return {
    elements: [
      { name, type: "BYTE_ARRAY", converted_type: "UTF8", ...OPTIONAL },
    ],
  };
}

function same(value: unknown): unknown {
  return value ?? null;
}

function memberOf(value: unknown, name: string): unknown {
  return value === null || value === undefined
    ? null
    : Reflect.get(Object(value), name);
}

function objectOf(value: unknown): object {
  return Object(value);
}
