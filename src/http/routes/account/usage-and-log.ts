import { Type } from "typebox";
import {
  LogAnswer,
  UsageAnswer,
  type LogRow,
  type UsageRow,
} from "../../../contract/account.ts";
import { queryReader } from "../../queries/query-string.ts";
import { listRoute, pageParameters, readPage, upTo } from "./account-route.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
/** A bit more than usage is kept. */
const MAX_DAYS = 400;
const USAGE_ROWS = 1_000;

const readUsage = queryReader(
  Type.Object(
    { days: upTo(MAX_DAYS, DEFAULT_DAYS), ...pageParameters(USAGE_ROWS) },
    { additionalProperties: false },
  ),
);

/** `GET /account/usage?days=30`: usage by day (UTC), key and operation, including today. */
export const USAGE_ROUTE = listRoute(
  "/account/usage",
  UsageAnswer,
  readUsage,
  async ({ account, auth: { accounts }, deps }, rows, { days }) => {
    const sinceMs = deps.now() - (days - 1) * DAY_MS;
    const found = await accounts.usage.byDay(account.id, sinceMs, rows);
    return {
      data: found.map(({ day, keyId, operation, used }): UsageRow => ({
        day,
        key_id: keyId,
        operation,
        used,
      })),
      total: await accounts.usage.countDays(account.id, sinceMs),
    };
  },
);

/** `GET /account/log`: the account's audit log, newest first. */
export const AUDIT_LOG_ROUTE = listRoute(
  "/account/log",
  LogAnswer,
  readPage,
  async ({ account, auth: { accounts } }, rows) => {
    const { entries, total } = await accounts.auditLog.page(account.id, rows);
    return {
      data: entries.map(({ action, actor, at, detail, id }): LogRow => ({
        id,
        at: new Date(at).toISOString(),
        actor: actorShown(actor),
        action,
        detail,
      })),
      total,
    };
  },
);

/** Returns who did it, without the name of the operator or program. */
function actorShown(actor: string): LogRow["actor"] {
  if (actor === "owner") return "you";
  return actor.startsWith("operator") ? "operator" : "service";
}
