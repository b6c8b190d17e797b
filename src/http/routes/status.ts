import type { FastifyInstance } from "fastify";
import { dataAge } from "../../contract/data-age.ts";
import { dataNotLoaded } from "../pipeline/answer-data.ts";
import type { HttpDependencies } from "../app-context.ts";
import type { Refuse } from "../pipeline/failure.ts";
import { NoParameters } from "../../contract/parameters.ts";
import { queryOf } from "../queries/query-string.ts";
import { parameterFailure, queryReader } from "../queries/read-parameters.ts";
import type { StatusAnswer } from "../../contract/answers.ts";

/** How long anybody may go on showing an answer, in seconds. */
const MAX_AGE_SECONDS = 30;

/** `GET /v1/status`: what is served and how old it is; without a key, and nothing in it is a secret. */
export function addStatus(
  app: FastifyInstance,
  deps: HttpDependencies,
  refuse: Refuse,
): void {
  const readQuery = queryReader(NoParameters);
  app.get("/v1/status", (request, reply) => {
    const { problems } = readQuery(queryOf(request.url));
    if (problems.length > 0)
      return refuse(request, reply, parameterFailure(problems));
    const data = deps.data.current();
    if (data === null) return refuse(request, reply, dataNotLoaded());
    const age = dataAge(data.dataDate, deps.now());
    const { deactivated, individuals, organizations, providers, withheld } =
      data.counts;
    const answer: StatusAnswer = {
      data: {
        snapshot: data.id,
        taken_up_at: data.createdAt.toISOString(),
        data_date: data.dataDate,
        data_age_days: age?.days ?? null,
        stale: age !== null && age.warning !== null,
        warning: age?.warning ?? null,
        counts: {
          providers,
          individuals,
          organizations,
          deactivated,
          withheld,
        },
        next_update: deps.nextUpdate(),
      },
      meta: { source: data.source },
    };
    reply.header("cache-control", `public, max-age=${MAX_AGE_SECONDS}`);
    return answer;
  });
}
