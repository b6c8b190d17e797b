import type { IncomingMessage } from "node:http";
import { MAX_BODY_BYTES } from "../../limits/server-limits.ts";
import type { Call } from "../../call.ts";
import type { Failure } from "../../pipeline/failure.ts";
import type { Route } from "../route.ts";

/** The media type of JSON, in any case. */
export const JSON_BODY = /^application\/json[\t ]*(?:;|$)/i;

/** Makes the reader of a route's bodies: JSON as a text for sessions, else bytes; null for routes that have none. */
export function bodyReaderOf({
  access,
  bodyLimit = MAX_BODY_BYTES,
}: Route):
  ((call: Call) => Promise<string | Buffer | undefined | Failure>) | null {
  if (access === "webhook" || access === "billing")
    return async (call) => (await readBytes(call, bodyLimit)) ?? undefined;
  return access === "session" ? readJson : null;
}

async function readJson(call: Call): Promise<string | undefined | Failure> {
  const { headers, method, request } = call;
  if (method === "GET" || method === "HEAD") return undefined;
  const type = headers["content-type"];
  const length = headers["content-length"] ?? "0";
  if (type === undefined && !isChunked(request) && length === "0")
    return undefined;
  if (!JSON_BODY.test(type ?? ""))
    return {
      code: "unsupported_media_type",
      message: "Send the body as JSON, with Content-Type: application/json.",
    };
  const bytes = await readBytes(call, MAX_BODY_BYTES);
  if (bytes !== null) return bytes.toString();
  return {
    code: "body_too_large",
    message: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
  };
}

/** Reads a body; null if it is longer than `most` bytes. The rest of it is not read: the response ends the connection. */
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

function isChunked({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined;
}
