import { HealthAnswer, ReadinessAnswer } from "../../contract/answers.ts";
import { LOOKUP_EXAMPLE } from "../../contract/examples.ts";
import type { UnreadyReason } from "../app-context.ts";
import { dataNotLoaded } from "../queries/data-operation.ts";
import { json } from "../call.ts";
import { Refusal, type Failure } from "../pipeline/failure.ts";
import { NO_STORE } from "../pipeline/headers.ts";
import type { Route } from "./route.ts";

const UP = { data: { status: "ok" }, meta: {} } satisfies HealthAnswer;
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
    summary: "Liveness probe",
    description: "Returns 200 while the process is up, with or without data.",
    answer: {
      description: "The process is up.",
      schema: HealthAnswer,
      examples: { Up: UP },
    },
  },
  handler: () => () => json(UP, NO_STORE),
};

/** Seconds between health checks of a usual load balancer. */
const RETRY_SECONDS = 2;

/** `GET /readyz`: the readiness probe. It fails if a load balancer should send requests to other nodes. */
export const READINESS_ROUTE: Route = {
  method: "GET",
  path: "/readyz",
  access: "public",
  counted: "health",
  described: {
    operationId: "getReadiness",
    summary: "Readiness probe",
    description:
      "Returns 200 if the service should get requests. Otherwise 503, whose code says why: no data is loaded (`data_not_loaded`), the process is stopping (`shutting_down`), the fleet serves a newer snapshot that this node has not downloaded yet (`snapshot_behind`), or the accounts database has been unavailable for longer than `DATABASE_GRACE` (`accounts_unavailable`).",
    answer: {
      description: "The service is ready.",
      schema: ReadinessAnswer,
      examples: {
        Ready: {
          data: { status: "ready", warning: null },
          meta: LOOKUP_EXAMPLE.meta,
        },
      },
    },
    codes: [
      "data_not_loaded",
      "shutting_down",
      "snapshot_behind",
      "accounts_unavailable",
    ],
  },
  handler:
    ({ deps }) =>
    () => {
      const reason = deps.unreadyReason();
      const data = deps.data.current;
      if (reason === "shutting_down") throw new Refusal(unready(reason));
      if (data === null) throw new Refusal(dataNotLoaded());
      if (reason !== null) throw new Refusal(unready(reason));
      const warning = deps.isUseWritten() ? null : NOT_WRITTEN;
      return json(
        { data: { status: "ready", warning }, meta: { source: data.source } },
        NO_STORE,
      );
    },
};

/** Makes the failure of a node that should get no requests. */
export function unready(reason: UnreadyReason): Failure {
  return {
    code: reason,
    message: REASONS[reason],
    headers: { "retry-after": String(RETRY_SECONDS) },
  };
}

const REASONS: Readonly<Record<UnreadyReason, string>> = {
  shutting_down: "The service is shutting down.",
  snapshot_behind:
    "The fleet serves a newer snapshot, which this node has not downloaded yet.",
  accounts_unavailable: `The accounts database has not responded for so long that API keys cannot be checked. Try again in ${RETRY_SECONDS} s.`,
};
