import { METHODS } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Answered } from "./answer-counts.ts";
import type { Failure, Refuse } from "./failure.ts";
import { ALLOWED_METHODS, PREFLIGHT_HEADERS } from "./headers.ts";

/** CONNECT requests a tunnel, not a path; Node emits a separate event for it. */
const OTHER_METHODS = METHODS.filter(
  (method) => !["GET", "HEAD", "OPTIONS", "CONNECT"].includes(method),
);

/** Registers every method that Node parses, so that routes for all methods include them. */
export function addOtherMethods(app: FastifyInstance): void {
  for (const method of OTHER_METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
}

/**
 * Answers the methods that a path does not accept. On a path that accepts GET, OPTIONS lists the methods, and the rest
 * is 405. On a path that accepts POST (`isPosted`), even OPTIONS is 405, so that browsers never send a POST from
 * another site's page. This comes before the body and the key. Call `addOtherMethods` first.
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

/** The failure for a method that a path does not accept; `allowed` lists those it accepts. */
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
