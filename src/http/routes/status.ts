import { dataAge } from "../../contract/data-age.ts";
import { dataNotLoaded } from "../queries/data-operation.ts";
import { NoParameters } from "../../contract/parameters.ts";
import {
  queryOf,
  parameterFailure,
  queryReader,
} from "../queries/query-string.ts";
import { StatusAnswer } from "../../contract/answers.ts";
import { STATUS_EXAMPLE } from "../../contract/examples.ts";
import { json } from "../call.ts";
import { Refusal } from "../pipeline/failure.ts";
import type { Route } from "./route.ts";

/** The time that answers may be cached, in seconds. */
const MAX_AGE_SECONDS = 30;

const readQuery = queryReader(NoParameters);

/** `GET /v1/status`: the date and age of the data, without a key. */
export const STATUS_ROUTE: Route = {
  method: "GET",
  path: "/v1/status",
  access: "public",
  counted: "status",
  described: {
    operationId: "getStatus",
    summary: "Data status",
    description:
      "Shows the date and age of the data, how many records it has, when the service next checks for updates, and which parts of records `include` can add. Requires no API key and is free.",
    query: NoParameters,
    answer: {
      description: "The status of the data.",
      schema: StatusAnswer,
      examples: { "Data that is three days old": STATUS_EXAMPLE },
    },
    codes: ["data_not_loaded"],
  },
  handler:
    ({ deps }) =>
    ({ url }) => {
      const { problems } = readQuery(queryOf(url));
      if (problems.length > 0) throw new Refusal(parameterFailure(problems));
      const data = deps.data.current;
      if (data === null) throw new Refusal(dataNotLoaded());
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
          details: [...data.detailParts],
        },
        meta: { source: data.source },
      };
      return json(answer, [
        "cache-control",
        `public, max-age=${MAX_AGE_SECONDS}`,
      ]);
    },
};
