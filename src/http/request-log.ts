import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { PARAMETER_NAMES } from "./parameters.ts";
import { parseQuery, queryOf } from "./query-string.ts";

/**
 * Logs one line for each answer. It says which parameters were given and never their values, for those are names of
 * people; names of parameters that do not exist are left out too, for people put keys there. No header is logged.
 */
export function addRequestLog(
  app: FastifyInstance,
  logger: FastifyBaseLogger,
): void {
  app.addHook("onResponse", (request, reply, done) => {
    logger.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 1000) / 1000,
        account: request.caller?.account.id ?? null,
        key: request.caller === null ? request.keyVerdict : "valid",
        params: parameterNames(request.url),
      },
      "answered",
    );
    done();
  });
}

function parameterNames(url: string): string[] {
  const names = new Set(parseQuery(queryOf(url)).map(([name]) => name));
  return [...names].filter((name) => PARAMETER_NAMES.has(name));
}
