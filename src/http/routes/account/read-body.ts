import type { Static, TObject, TProperties } from "typebox";
import { Compile } from "typebox/schema";
import { invalidBody } from "../../access/failures.ts";
import type { Failure } from "../../pipeline/failure.ts";

/**
 * Makes a parser of JSON bodies from an object schema. A missing body is an empty object, and a null member a missing
 * one. Unknown members are errors: a client that sends a plan or a role must not believe that it was accepted.
 */
export function bodyReader<P extends TProperties>(
  schema: TObject<P>,
): (text: string | undefined) => Static<TObject<P>> | Failure {
  const whole = Compile(schema);
  const members = Object.entries(schema.properties).map(([name, member]) => ({
    name,
    check: Compile(member),
    byDefault: Reflect.get(member, "default"),
    rule: String(Reflect.get(member, "x-rule")),
  }));
  const known = members.map(({ name }) => name);
  return function readBody(text) {
    const given = parse(text ?? "{}");
    if (given === null) return invalidBody("The body must be a JSON object.");
    const unknown = Object.keys(given).find((name) => !known.includes(name));
    if (unknown !== undefined)
      return invalidBody(
        `The body has an unknown member ${JSON.stringify(unknown.slice(0, 40))}. Valid members: ${known.join(", ")}.`,
      );
    const values: Record<string, unknown> = {};
    for (const { byDefault, check, name, rule } of members) {
      values[name] = given[name] ?? byDefault;
      if (!check.Check(values[name]))
        return invalidBody(`The body's "${name}" must be ${rule}.`);
    }
    if (!whole.Check(values))
      throw new Error("A body with valid members is invalid as a whole.");
    return values;
  };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : null;
  } catch {
    return null;
  }
}
