import { RESPONSE_HEADERS } from "../pipeline/response-headers.ts";
import type { HeaderName } from "../pipeline/response-headers.ts";

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

/** References to the document's headers. */
export function headerRefs(names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

export function headerNames(): HeaderName[] {
  return Object.keys(RESPONSE_HEADERS).filter((name): name is HeaderName =>
    Object.hasOwn(RESPONSE_HEADERS, name),
  );
}

/** Values as named OpenAPI examples. */
export function namedExamples(
  examples: Readonly<Record<string, unknown>>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(examples).map(([name, value]) => [
      name,
      { value: toJson(value) },
    ]),
  );
}

/** A plain JSON copy, without TypeBox's own symbols. */
export function toJson(value: unknown): JsonObject {
  const copy = parse(JSON.stringify(value));
  if (copy === null || typeof copy !== "object" || Array.isArray(copy))
    throw new Error("Not a JSON object.");
  return copy;
}

function parse(text: string): Json {
  const value: Json = JSON.parse(text);
  return value;
}
