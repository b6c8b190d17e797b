import { METHODS } from "node:http";
import type { FastifyInstance } from "fastify";
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
 * Answers the other methods of every GET route, and of every POST route, that is added to `app` or below it after this
 * call. Of a GET route OPTIONS says what is allowed, and the rest is 405; of a POST route all of them are 405, also
 * OPTIONS, so that no browser sends one from a page of another site. `addOtherMethods` comes before. Both happen before a
 * body is read and before the key, for both are about the path alone.
 */
export function addMethodAnswers(app: FastifyInstance, refuse: Refuse): void {
  app.addHook("onRoute", (route) => {
    if (route.method === "POST") addPostAnswers(app, route.url, refuse);
    if (route.method !== "GET") return;
    // The root of a prefixed part exists with and without a slash, and is announced once.
    const urls =
      route.routePath === "" ? [route.url, `${route.url}/`] : [route.url];
    for (const url of urls) addAnswers(app, url, refuse);
  });
}

/** The routes go to `app` itself, where no key is asked for. Their path is whole already. */
function addAnswers(app: FastifyInstance, url: string, refuse: Refuse): void {
  app.route({
    method: "OPTIONS",
    url,
    onRequest: (_request, reply) =>
      void reply.code(204).headers(PREFLIGHT_HEADERS).send(),
    handler: unreachable,
  });
  app.route({
    method: OTHER_METHODS,
    url,
    onRequest: (request, reply) =>
      void refuse(request, reply, methodNotAllowed(request.method)),
    handler: unreachable,
  });
}

function addPostAnswers(
  app: FastifyInstance,
  url: string,
  refuse: Refuse,
): void {
  app.route({
    method: [
      "GET",
      "OPTIONS",
      ...OTHER_METHODS.filter((method) => method !== "POST"),
    ],
    url,
    onRequest: (request, reply) =>
      void refuse(request, reply, methodNotAllowed(request.method, "POST")),
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
    message: `This path does not take ${method}; it takes ${allowed}.`,
    headers: { allow: allowed },
  };
}

function unreachable(): never {
  throw new Error("The request was answered before its handler.");
}
