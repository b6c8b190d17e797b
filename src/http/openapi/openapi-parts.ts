/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

/** References to the document's headers. */
export function headerRefs(names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** Values as named OpenAPI examples. */
export function namedExamples(
  examples: Readonly<Record<string, object>>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(examples).map(([name, value]) => [
      name,
      { value: toJson(value) },
    ]),
  );
}

/** A plain JSON copy, without TypeBox's own symbols. */
export function toJson(value: object): JsonObject {
  const copy: JsonObject = JSON.parse(JSON.stringify(value));
  return copy;
}
