/** Answers held to the schemas of their routes, member for member. */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { InjectOptions, Response } from "light-my-request";
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/schema";
import { ROUTES } from "../../../src/http/routes/table.ts";
import { AUTH_PATH } from "../../../src/auth/auth.ts";
import { errorOf, problemOf } from "../pure/http-error.ts";

/** What is known of a response, however it was sent. */
export type Answer = Pick<Response, "body" | "headers" | "statusCode">;

/** A value per line. */
const LINES = "application/x-ndjson";

/** As the router has it, a path without parameters comes first. */
const SCHEMAS = ROUTES.flatMap(({ answer, described, method, path }) => {
  const schema = answer ?? described?.answer.schema;
  // The bytes of files have no members, even of a list of files.
  if (schema === undefined || described?.answer.hasRanges === true) return [];
  return [
    { method, path, pattern: new URLPattern({ pathname: path }), schema },
  ];
}).toSorted(
  (a, b) => Number(a.path.includes(":")) - Number(b.path.includes(":")),
);

const validators = new Map<TSchema, Validator>();

/**
 * Fails on JSON that is not what the route of the request says, or not an error of this service; returns the answer.
 */
export function checkAnswer<T extends Answer>(
  { method = "GET", url = "" }: InjectOptions,
  answer: T,
): T {
  const { body, headers, statusCode } = answer;
  const [type = ""] = String(headers["content-type"]).split(";");
  if (body === "" || "content-encoding" in headers || !type.endsWith("json"))
    return answer;
  const target =
    typeof url === "string" ? URL.parse(url, "http://127.0.0.1") : url;
  const pathname = target?.pathname ?? "";
  if (statusCode < 300) {
    const route = SCHEMAS.find(
      (each) =>
        [each.method].flat().some((known) => known === method) &&
        each.pattern.test({ pathname }),
    );
    if (route !== undefined)
      for (const value of type === LINES ? body.trimEnd().split("\n") : [body])
        assertFits(JSON.parse(value), route.schema, `${method} ${pathname}`);
  } else if (type === "application/problem+json") problemOf(body);
  // Sign-in answers in the words of its library, unless the service refuses it.
  else if (!pathname.startsWith(AUTH_PATH) || "error" in JSON.parse(body))
    errorOf(body);
  return answer;
}

/** Fails unless a value has all members of a schema, and no others. */
export function assertFits(value: unknown, schema: TSchema, place: string) {
  let validator = validators.get(schema);
  if (validator === undefined)
    validators.set(schema, (validator = Compile(schema)));
  if (!validator.Check(value))
    assert.fail(`${place}: ${JSON.stringify(validator.Errors(value))}`);
  assertNothingElse(value, schema, place);
}

/** Fails on a member that the schema does not have: the answer would say more than is documented. */
function assertNothingElse(value: unknown, schema: unknown, place: string) {
  if (value === null || typeof value !== "object") return;
  if (Array.isArray(value)) {
    const items: unknown = Reflect.get(Object(schema), "items");
    for (const item of value) assertNothingElse(item, items, place);
    return;
  }
  const properties: unknown = Reflect.get(Object(schema), "properties");
  // Any members, as the OpenAPI document has.
  if (isDeepStrictEqual(properties, {})) return;
  for (const [name, member] of Object.entries(value)) {
    assert.ok(Object.hasOwn(Object(properties), name), `${place}: ${name}`);
    assertNothingElse(
      member,
      Reflect.get(Object(properties), name),
      `${place}.${name}`,
    );
  }
}
