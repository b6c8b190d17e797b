import type { FastifyInstance } from "fastify";
import { dataNotLoaded } from "../pipeline/answer-data.ts";
import type { HttpDependencies } from "../app-context.ts";
import type { Refuse } from "../pipeline/failure.ts";

const NOT_WRITTEN =
  "The accounts' database cannot be written: what is used is counted in memory until it can be.";

/**
 * `GET /healthz` answers whether the process lives, `GET /readyz` whether it has data to answer from and will
 * be there for the next request; both without a key, and neither is stored by anybody.
 */
export function addHealth(
  app: FastifyInstance,
  deps: HttpDependencies,
  refuse: Refuse,
): void {
  app.get("/healthz", (_request, reply) => {
    reply.header("cache-control", "no-store");
    return { data: { status: "ok" }, meta: {} };
  });

  app.get("/readyz", (request, reply) => {
    if (deps.isLeaving())
      return refuse(request, reply, {
        ...dataNotLoaded(),
        message: "The service is shutting down.",
      });
    const data = deps.data.current();
    if (data === null) return refuse(request, reply, dataNotLoaded());
    reply.header("cache-control", "no-store");
    const warning = deps.isUseWritten() ? null : NOT_WRITTEN;
    return {
      data: { status: "ready", warning },
      meta: { source: data.source },
    };
  });
}
