import type { FastifyReply } from "fastify";

/** Header names, in lower case, and values in turn: the form in which Node writes headers fastest. */
export type HeaderList = readonly string[];

/** Sets a list of headers on an answer that the framework sends. */
export function setHeaders(reply: FastifyReply, headers: HeaderList): void {
  for (let i = 0; i < headers.length; i += 2)
    reply.header(headers[i]!, headers[i + 1]!);
}
