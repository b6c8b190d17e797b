import type { FastifyError, FastifyInstance } from "fastify";
import type { HttpDependencies, PeopleDoor } from "../app-context.ts";
import type { Failure, Refuse } from "../pipeline/failure.ts";
import { addAccount } from "../routes/account/account.ts";
import { addAuth } from "../routes/account/auth.ts";
import { closeToOtherSites } from "./same-origin.ts";
import { MAX_BODY_BYTES } from "../limits/server-limits.ts";

/**
 * Adds what people use themselves, with a session in a cookie: `/auth/*` and `/account`. Unlike the rest it reads
 * bodies, is closed to scripts of other sites, and is stored by nobody.
 */
export function addPeople(
  app: FastifyInstance,
  deps: HttpDependencies,
  people: PeopleDoor,
  refuse: Refuse,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string", bodyLimit: MAX_BODY_BYTES },
    (_request, body, done) => done(null, body),
  );
  closeToOtherSites(app, () => people.origins(), refuse);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return refuse(request, reply, failure);
  });
  addAuth(app, people, refuse);
  addAccount(app, deps, people, refuse);
}

function failureOf({ code, statusCode }: FastifyError): Failure | null {
  if (statusCode === 413)
    return {
      code: "body_too_large",
      message: `The body has more than ${MAX_BODY_BYTES} bytes.`,
    };
  if (statusCode === 415)
    return {
      code: "unsupported_media_type",
      message: "Send the body as JSON, with Content-Type: application/json.",
    };
  return code.startsWith("FST_ERR_CTP_")
    ? { code: "invalid_body", message: "The body cannot be read." }
    : null;
}
