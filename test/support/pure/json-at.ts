/** Steps into JSON of an expected shape; fails if the shape differs. */

import assert from "node:assert/strict";
import type {
  Json,
  JsonObject,
} from "../../../src/http/openapi/openapi-failures.ts";

export function at(json: Json, ...path: readonly string[]): Json {
  let here = json;
  for (const step of path) {
    assert.ok(here !== null && typeof here === "object", `nothing at ${step}`);
    const next: unknown = Reflect.get(here, step);
    assert.notEqual(next, undefined, `no ${step} in ${path.join("/")}`);
    here = Reflect.get(here, step);
  }
  return here;
}

export function objectAt(json: Json, ...path: readonly string[]): JsonObject {
  const here = at(json, ...path);
  assert.ok(
    here !== null && typeof here === "object" && !Array.isArray(here),
    `${path.join("/")} is no object`,
  );
  return here;
}

export function listAt(json: Json, ...path: readonly string[]): Json[] {
  const here = at(json, ...path);
  assert.ok(Array.isArray(here), `${path.join("/")} is no list`);
  return here;
}

export function textAt(json: Json, ...path: readonly string[]): string {
  const here = at(json, ...path);
  assert.ok(typeof here === "string", `${path.join("/")} is no text`);
  return here;
}

/** Every object in a JSON value, itself included. */
export function* objectsIn(json: Json): Generator<JsonObject> {
  if (json === null || typeof json !== "object") return;
  if (!Array.isArray(json)) yield json;
  for (const value of Object.values(json)) yield* objectsIn(value);
}
