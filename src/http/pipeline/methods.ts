import { METHODS } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Answered } from "./answer-counts.ts";
import type { Failure, Refuse } from "./failure.ts";
import { ALLOWED_METHODS, PREFLIGHT_HEADERS } from "./headers.ts";

/** CONNECT asks for a tunnel, not for a path; Node hands it over as an event of its own. */
const OTHER_METHODS = METHODS.filter(
  (method) => !["GET", "HEAD", "OPTIONS", "CONNECT"].includes(method),
);

/** Makes `app` know every method that Node reads, so that a route for all methods is one for these too. */
export function addOtherMethods(app: FastifyInstance): void {
  for (const method of OTHER_METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
}

/**
 * Answers the methods that a path does not take. Of one that is read, OPTIONS says what is allowed, and the rest is 405; of
 * one that takes POST (`isPosted`) all of them are 405, also OPTIONS, so that no browser sends one from a page of another
 * site. Both happen before a body is read and before the key, for both are about the path. `addOtherMethods` comes before.
 */
export function answerOtherMethods(
  app: FastifyInstance,
  url: string,
  isPosted: boolean,
  counted: Answered,
  refuse: Refuse,
): void {
  const allowed = isPosted ? "POST" : ALLOWED_METHODS;
  const config = { counted };
  if (!isPosted)
    app.route({
      method: "OPTIONS",
      url,
      config,
      onRequest: (_request, reply) =>
        void reply.code(204).headers(PREFLIGHT_HEADERS).send(),
      handler: unreachable,
    });
  app.route({
    method: isPosted
      ? [
          "GET",
          "OPTIONS",
          ...OTHER_METHODS.filter((method) => method !== "POST"),
        ]
      : OTHER_METHODS,
    url,
    config,
    onRequest: (request, reply) =>
      void refuse(request, reply, methodNotAllowed(request.method, allowed)),
    handler: unreachable,
  });
}

/** That a path does not take a method; `allowed` are those that it takes. */
export function methodNotAllowed(
  method: string,
  allowed = ALLOWED_METHODS,
): Failure {
  return {
    code: "method_not_allowed",
    message: `This path does not accept ${method}. Use ${allowed}.`,
    headers: { allow: allowed },
  };
}

function unreachable(): never {
  throw new Error("The request was answered before its handler.");
}
