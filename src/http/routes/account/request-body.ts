import type { Static, TObject, TProperties } from "typebox";
import { Compile } from "typebox/schema";
import { invalidBody } from "../../access/failures.ts";
import { MAX_BODY_BYTES } from "../../limits/server-limits.ts";
import type { Call, ServedRoute } from "../../call.ts";
import type { Failure } from "../../pipeline/failure.ts";
import type { Route } from "../route.ts";

/** The media type of JSON, in any case. */
export const JSON_BODY = /^application\/json[\t ]*(?:;|$)/i;

/** Makes the reader of a route's bodies: JSON as a text for sessions, else bytes; null for routes that have none. */
export function bodyReaderOf({
  access,
  bodyLimit = MAX_BODY_BYTES,
}: Route): ServedRoute["readBody"] {
  if (access === "webhook" || access === "billing")
    return async (call) => (await readBytes(call, bodyLimit)) ?? undefined;
  return access === "session" || access === "mcp"
    ? (call) => readText(call, bodyLimit)
    : null;
}

async function readText(
  call: Call,
  most: number,
): Promise<string | undefined | Failure> {
  const { headers, method } = call;
  if (method === "GET" || method === "HEAD") return undefined;
  const {
    "content-length": length = "0",
    "content-type": type,
    "transfer-encoding": chunked,
  } = headers;
  if (type === undefined && chunked === undefined && length === "0")
    return undefined;
  if (!JSON_BODY.test(type ?? ""))
    return {
      code: "unsupported_media_type",
      message: "Send the body as JSON, with Content-Type: application/json.",
    };
  const bytes = await readBytes(call, most);
  if (bytes !== null) return bytes.toString();
  return {
    code: "body_too_large",
    message: `The body is larger than ${most} bytes.`,
  };
}

/**
 * Reads a body; null if it is longer than `most` bytes. The rest of it is not read: the response ends the connection.
 */
function readBytes(
  { headers, request, response }: Call,
  most: number,
): Promise<Buffer | null> {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  const chunks: Buffer[] = [];
  let length = 0;
  if (Number(headers["content-length"]) > most) refuse();
  else request.on("data", take);

  function take(chunk: Buffer): void {
    length += chunk.length;
    if (length > most) refuse();
    else chunks.push(chunk);
  }

  function refuse(): void {
    request.off("data", take);
    response.setHeader("connection", "close");
    resolve(null);
  }

  request.once("end", () => resolve(Buffer.concat(chunks)));
  // The client is gone, and no one reads the answer.
  request.once("close", () => resolve(null));
  return promise;
}

/**
 * Makes a parser of JSON bodies from an object schema. A missing body is an empty object, and a null member a missing
 * one. Unknown members are errors: a client that sends a plan or a role must not believe that it was accepted.
 */
export function bodyReader<P extends TProperties>(
  schema: TObject<P>,
): (body: Call["body"]) => Static<TObject<P>> | Failure {
  const whole = Compile(schema);
  const members = Object.entries(schema.properties).map(([name, member]) => ({
    name,
    check: Compile(member),
    byDefault: Reflect.get(member, "default"),
  }));
  const known = members.map(({ name }) => name);
  return function readBody(body = "{}") {
    const value = jsonOf(body);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return invalidBody("The body must be a JSON object.");
    const given: Record<string, unknown> = { ...value };
    const unknown = Object.keys(given).find((name) => !known.includes(name));
    if (unknown !== undefined)
      return invalidBody(
        `The body has an unknown member ${JSON.stringify(unknown.slice(0, 40))}. Valid members: ${known.join(", ")}.`,
      );
    const values: Record<string, unknown> = {};
    for (const { byDefault, check, name } of members) {
      values[name] = given[name] ?? byDefault;
      if (!check.Check(values[name])) return invalidMember(schema, name);
    }
    if (!whole.Check(values))
      throw new Error("A body with valid members is invalid as a whole.");
    return values;
  };
}

/** Makes the failure of a body with an invalid member. */
export function invalidMember<P extends TProperties>(
  { properties }: TObject<P>,
  name: keyof P & string,
): Failure {
  const rule = String(Reflect.get(properties[name] ?? {}, "x-rule"));
  return invalidBody(`The body's "${name}" must be ${rule}.`);
}

/** Parses a body; undefined without one, or if it is not JSON. */
export function jsonOf(body: Call["body"]): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
