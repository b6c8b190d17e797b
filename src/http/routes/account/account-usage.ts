import { Type } from "typebox";
import { answerPage, pageParameters, rowsOf } from "./own-lists.ts";
import { queryOf } from "../../queries/query-string.ts";
import {
  parameterFailure,
  queryReader,
} from "../../queries/read-parameters.ts";
import type { UsageRow } from "../../../contract/account.ts";
import { ownRoute, type OwnAnswer, type OwnRequest } from "./own-action.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
/** As long as use is kept, and some. */
const MOST_DAYS = 400;
const MOST_ROWS = 1_000;

const readQuery = queryReader(
  Type.Object(
    {
      days: Type.Integer({
        minimum: 1,
        maximum: MOST_DAYS,
        default: DEFAULT_DAYS,
        "x-rule": `a whole number from 1 to ${MOST_DAYS}`,
      }),
      ...pageParameters(MOST_ROWS),
    },
    { additionalProperties: false },
  ),
);

/** `GET /account/usage?days=30`: what was answered by day (UTC), key and operation, today included. */
export const OWN_USAGE_ROUTE = ownRoute({
  method: "GET",
  path: "/account/usage",
  act: usage,
});

async function usage({
  account,
  nowMs,
  people,
  url,
}: OwnRequest): Promise<OwnAnswer> {
  const { pairs, problems, value: asked } = readQuery(queryOf(url));
  if (asked === null) return { failure: parameterFailure(problems) };
  const sinceMs = nowMs - (asked.days - 1) * DAY_MS;
  const { accounts } = people;
  const rows = await accounts.usage.byDay(account.id, sinceMs, rowsOf(asked));
  const total = await accounts.usage.countDays(account.id, sinceMs);
  const data = rows.map(({ day, keyId, operation, used }): UsageRow => ({
    day,
    key_id: keyId,
    operation,
    used,
  }));
  const answer = answerPage("/account/usage", pairs, asked, { data, total });
  return { ...answer, meta: { days: asked.days, ...answer.meta } };
}
