import type { IncomingMessage } from "node:http";

/** What a client's own request id may look like: it goes into logs and back into a header. */
export const REQUEST_ID = /^[A-Za-z0-9._~:/+=@-]{1,128}$/;

/** The id of a request: the client's `X-Request-Id` when it has a sane shape, else a fresh one. */
export function requestId(
  request: Pick<IncomingMessage, "headers">,
  make: () => string,
): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && REQUEST_ID.test(given) ? given : make();
}
