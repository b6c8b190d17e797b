import type { FastifyRequest } from "fastify";

/** A request's headers as web standards have them. */
export function headersOf({ headers }: FastifyRequest): Headers {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) given.set(name, [value].flat().join(", "));
  }
  return given;
}
