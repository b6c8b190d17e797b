import { RESPONSE_HEADERS } from "../pipeline/response-headers.ts";
import type { HeaderName } from "../pipeline/response-headers.ts";

/** JSON, as the OpenAPI document is made of it. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

/** References to the document's headers, by name. */
export function headerRefs(names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** The names of all headers that are described. */
export function headerNames(): HeaderName[] {
  return Object.keys(RESPONSE_HEADERS).filter((name): name is HeaderName =>
    Object.hasOwn(RESPONSE_HEADERS, name),
  );
}

/** Values as named examples. */
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

/** A copy that is JSON and nothing else: TypeBox keeps marks of its own on schemas. */
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
