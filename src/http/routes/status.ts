import type { AppContext } from "../app-context.ts";
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
      return json(statusOf(deps), [
        "cache-control",
        `public, max-age=${MAX_AGE_SECONDS}`,
      ]);
    },
};

/** Returns the status of the data. Throws a `Refusal` if none is loaded. */
export function statusOf({
  data: { current },
  nextUpdate,
  now,
}: Pick<AppContext, "data" | "nextUpdate" | "now">): StatusAnswer {
  if (current === null) throw new Refusal(dataNotLoaded());
  const age = dataAge(current.dataDate, now());
  const { deactivated, individuals, organizations, providers, withheld } =
    current.counts;
  return {
    data: {
      snapshot: current.id,
      taken_up_at: current.createdAt.toISOString(),
      data_date: current.dataDate,
      data_age_days: age?.days ?? null,
      stale: age !== null && age.warning !== null,
      warning: age?.warning ?? null,
      counts: { providers, individuals, organizations, deactivated, withheld },
      next_update: nextUpdate(),
      details: [...current.detailParts],
    },
    meta: { source: current.source },
  };
}
