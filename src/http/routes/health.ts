import { Type } from "typebox";
import { LOOKUP_EXAMPLE } from "../../contract/examples.ts";
import { dataNotLoaded } from "../queries/data-operation.ts";
import type { Failure } from "../pipeline/failure.ts";
import type { Route } from "./route.ts";

const NOT_WRITTEN =
  "The accounts database cannot be written to. Usage is counted in memory until it can.";

/** `GET /healthz`: the liveness probe, never cached. */
export const HEALTH_ROUTE: Route = {
  method: "GET",
  path: "/healthz",
  access: "public",
  counted: "health",
  described: {
    operationId: "getHealth",
    tag: "Service",
    summary: "Liveness probe",
    description: "Answers 200 while the process is up, with or without data.",
    answer: {
      description: "The process is up.",
      schema: Type.Object({
        data: Type.Object({ status: Type.Literal("ok") }),
        meta: Type.Object({}),
      }),
      examples: { Up: { data: { status: "ok" }, meta: {} } },
    },
  },
  handler: () => (_request, reply) => {
    reply.header("cache-control", "no-store");
    return { data: { status: "ok" }, meta: {} };
  },
};

/** `GET /readyz`: the readiness probe. Data is loaded, and the process is not shutting down. */
export const READINESS_ROUTE: Route = {
  method: "GET",
  path: "/readyz",
  access: "public",
  counted: "health",
  described: {
    operationId: "getReadiness",
    tag: "Service",
    summary: "Readiness probe",
    description:
      "Answers 200 once a snapshot of the registry is loaded, and 503 `data_not_loaded` before and during shutdown.",
    answer: {
      description: "The service is ready.",
      schema: Type.Object({
        data: Type.Object({
          status: Type.Literal("ready"),
          warning: Type.Union([Type.String(), Type.Null()], {
            description:
              "A sentence while the accounts database cannot be written to, for example because the disk is full. Requests are still answered, and usage is counted in memory.",
          }),
        }),
        meta: Type.Object({
          source: Type.String({
            description: "Where the data comes from, and the dates it covers.",
          }),
        }),
      }),
      examples: {
        Ready: {
          data: { status: "ready", warning: null },
          meta: LOOKUP_EXAMPLE.meta,
        },
      },
    },
    codes: ["data_not_loaded"],
  },
  handler:
    ({ deps, refuse }) =>
    (request, reply) => {
      if (deps.isLeaving()) return refuse(request, reply, leaving());
      const data = deps.data.current;
      if (data === null) return refuse(request, reply, dataNotLoaded());
      reply.header("cache-control", "no-store");
      const warning = deps.isUseWritten() ? null : NOT_WRITTEN;
      return {
        data: { status: "ready", warning },
        meta: { source: data.source },
      };
    },
};

function leaving(): Failure {
  return { ...dataNotLoaded(), message: "The service is shutting down." };
}
