import type { JsonSchemaType } from "@modelcontextprotocol/server";

/** JSON Schemas of tools: those of the contract, without what assistants don't need, since they read them all. */

/** The keywords that are kept. */
const KEPT = [
  "type",
  "enum",
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "minItems",
  "maxItems",
] as const;
/** Longer lists of values are left to the API, which checks them. */
const MAX_VALUES = 7;

/** Describes an object by its members; those in `required` are always there. */
export function object(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = [],
): JsonSchemaType {
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Describes a list. */
export function list(items: object): object {
  return { type: "array", items };
}

/** Adds a description. */
export function described(schema: object, description: string): object {
  return { ...schema, description };
}

/** Copies a schema of the contract for values that a client sends: what is checked. */
export function sent(schema: object): object {
  const values = member(schema, "enum");
  const copy: Record<string, unknown> = {};
  for (const key of KEPT) {
    const value = member(schema, key);
    if (value !== undefined) copy[key] = value;
  }
  if (Array.isArray(values) && values.length > MAX_VALUES) delete copy["enum"];
  const items = member(schema, "items");
  if (isObject(items)) copy["items"] = sent(items);
  return copy;
}

/** Copies the members of an object of the contract that is shown: their types only, and no nulls, which are left out. */
export function shown({
  properties,
}: {
  readonly properties: Readonly<Record<string, object>>;
}): Record<string, object> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const types = [member(schema, "type")].flat();
      return [name, { type: types.find((type) => type !== "null") }];
    }),
  );
}

function member(schema: object, name: string): unknown {
  return Reflect.get(schema, name);
}

function isObject(value: unknown): value is Record<string, object> {
  return typeof value === "object" && value !== null;
}
