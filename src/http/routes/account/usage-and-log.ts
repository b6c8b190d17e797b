import { Type, type TInteger } from "typebox";
import type { Page } from "../../../accounts/context.ts";
import {
  LogAnswer,
  UsageAnswer,
  type LogRow,
  type UsageRow,
} from "../../../contract/account.ts";
import { publicPath } from "../../../text/public-path.ts";
import {
  pageLinks,
  queryOf,
  parameterFailure,
  queryReader,
  type QueryPairs,
} from "../../queries/query-string.ts";
import {
  accountRoute,
  type AccountActionResult,
  type AccountRequest,
} from "./account-route.ts";

/** The largest page number, so that offsets stay within the databases' range. */
const LAST_PAGE = 1_000_000;

/** The parameters of a list under `/account`; `most` is the page size's maximum and default. */
export function pageParameters(most: number): {
  limit: TInteger;
  page: TInteger;
} {
  return {
    limit: Type.Integer({
      minimum: 1,
      maximum: most,
      default: most,
      "x-rule": `a whole number from 1 to ${most}`,
    }),
    page: Type.Integer({
      minimum: 1,
      maximum: LAST_PAGE,
      default: 1,
      "x-rule": `a whole number from 1 to ${LAST_PAGE}`,
    }),
  };
}

/** The values of `pageParameters`. */
interface PageRequest {
  readonly limit: number;
  readonly page: number;
}

/** The rows of a page. */
export function rowsOf({ limit, page }: PageRequest): Page {
  return { limit, offset: (page - 1) * limit };
}

/** The answer with a page of a list: `meta` as in searches, and links to other pages. */
export function answerPage(
  path: string,
  pairs: QueryPairs,
  { limit, page }: PageRequest,
  { data, total }: { data: readonly unknown[]; total: number },
) {
  const lastPage = Math.max(1, Math.ceil(total / limit));
  const hasNext = page < lastPage;
  return {
    status: 200,
    data,
    meta: { count: data.length, page, limit, total },
    link: pageLinks(path, { pairs, page, hasNext, lastPage }),
  };
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
/** A bit more than usage is kept. */
const MAX_DAYS = 400;
const USAGE_ROWS = 1_000;

const readUsageQuery = queryReader(
  Type.Object(
    {
      days: Type.Integer({
        minimum: 1,
        maximum: MAX_DAYS,
        default: DEFAULT_DAYS,
        "x-rule": `a whole number from 1 to ${MAX_DAYS}`,
      }),
      ...pageParameters(USAGE_ROWS),
    },
    { additionalProperties: false },
  ),
);

/** `GET /account/usage?days=30`: usage by day (UTC), key and operation, including today. */
export const USAGE_ROUTE = accountRoute({
  method: "GET",
  path: "/account/usage",
  answer: UsageAnswer,
  act: usage,
});

async function usage({
  account,
  nowMs,
  auth,
  publicUrl,
  url,
}: AccountRequest): Promise<AccountActionResult> {
  const { pairs, problems, value: query } = readUsageQuery(queryOf(url));
  if (query === null) return { failure: parameterFailure(problems) };
  const sinceMs = nowMs - (query.days - 1) * DAY_MS;
  const { accounts } = auth;
  const rows = await accounts.usage.byDay(account.id, sinceMs, rowsOf(query));
  const total = await accounts.usage.countDays(account.id, sinceMs);
  const data = rows.map(({ day, keyId, operation, used }): UsageRow => ({
    day,
    key_id: keyId,
    operation,
    used,
  }));
  const path = publicPath(publicUrl, USAGE_ROUTE.path);
  const answer = answerPage(path, pairs, query, { data, total });
  return { ...answer, meta: { days: query.days, ...answer.meta } };
}

const LOG_ROWS = 100;

const readLogQuery = queryReader(
  Type.Object(pageParameters(LOG_ROWS), { additionalProperties: false }),
);

/** `GET /account/log`: the account's audit log, newest first. */
export const AUDIT_LOG_ROUTE = accountRoute({
  method: "GET",
  path: "/account/log",
  answer: LogAnswer,
  act: log,
});

async function log({
  account,
  auth,
  publicUrl,
  url,
}: AccountRequest): Promise<AccountActionResult> {
  const { pairs, problems, value: query } = readLogQuery(queryOf(url));
  if (query === null) return { failure: parameterFailure(problems) };
  const { entries, total } = await auth.accounts.auditLog.page(
    account.id,
    rowsOf(query),
  );
  const data = entries.map(({ action, actor, at, detail, id }): LogRow => ({
    id,
    at: new Date(at).toISOString(),
    actor: actorShown(actor),
    action,
    detail,
  }));
  const path = publicPath(publicUrl, AUDIT_LOG_ROUTE.path);
  return answerPage(path, pairs, query, { data, total });
}

/** Who did it, without the name of the operator or program. */
function actorShown(actor: string): LogRow["actor"] {
  if (actor === "owner") return "you";
  return actor.startsWith("operator") ? "operator" : "service";
}
