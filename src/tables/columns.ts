import type { DetailPart } from "../contract/detail-parts.ts";
import { EXPORT_COLUMNS } from "../contract/export-columns.ts";
import { ProviderRecord } from "../contract/provider.ts";
import type { Column, Shape } from "../parquet/parquet-writer.ts";

/** A column of a table. */
export interface TableColumn extends Column {
  /** The members that lead to its values in a line of JSON. */
  readonly path: readonly string[];
}

/** Lists the columns of CSV, and one for each part of the details, with the lists and members of the record. */
export function exportColumns(parts: readonly DetailPart[]): TableColumn[] {
  return [
    ...recordColumns(),
    ...parts.map((part) => ({
      name: part,
      path: [part],
      shape: shapeOf(part, ProviderRecord.properties[part]),
    })),
  ];
}

/** Lists the columns of CSV. */
export function recordColumns(): TableColumn[] {
  return EXPORT_COLUMNS.map(({ name, path, type }) => ({
    name,
    path: path.split("."),
    shape: type,
  }));
}

/**
 * Lists a column for each member of a part of the details, or of its entries if it is a list; those of a member that
 * is an object start with its name.
 */
export function memberColumns(part: DetailPart, prefix = ""): TableColumn[] {
  const schema = ProviderRecord.properties[part];
  return columnsOfMembers(itemsOf(schema) ?? schema, prefix, [part]);
}

function columnsOfMembers(
  schema: object,
  prefix: string,
  path: readonly string[],
): TableColumn[] {
  return membersOf(schema).flatMap(([member, inner]) => {
    const name = prefix + member;
    const innerPath = [...path, member];
    return typesOf(inner).has("object")
      ? columnsOfMembers(inner, `${name}_`, innerPath)
      : [{ name, path: innerPath, shape: shapeOf(name, inner) }];
  });
}

/** Names a column's type as SQL does. */
export function sqlType({ shape }: Column): string {
  if (typeof shape !== "string") return "VARCHAR[]";
  return { date: "DATE", boolean: "BOOLEAN", text: "VARCHAR" }[shape];
}

/** Makes a column of a line's member. */
export function memberColumn(name: string, shape: Shape = "text"): TableColumn {
  return { name, path: [name], shape };
}

function shapeOf(name: string, schema: object): Shape {
  const types = typesOf(schema);
  const items = itemsOf(schema);
  if (items !== null) return { listOf: shapeOf("element", items) };
  if (types.has("object"))
    return {
      members: membersOf(schema).map(([member, inner]) => ({
        name: member,
        shape: shapeOf(member, inner),
      })),
    };
  if (types.has("boolean")) return "boolean";
  return name.endsWith("_date") ? "date" : "text";
}

function typesOf(schema: object): Set<unknown> {
  return new Set([valueOf(schema, "type")].flat());
}

/** Returns the schema of a list's items; null if it is of something else. */
function itemsOf(schema: object): object | null {
  const items = valueOf(schema, "items");
  return items === undefined ? null : Object(items);
}

function membersOf(schema: object): [string, object][] {
  return Object.entries(Object(valueOf(schema, "properties"))).map(
    ([member, inner]) => [member, Object(inner)],
  );
}

function valueOf(schema: object, name: string): unknown {
  return Reflect.get(schema, name);
}
