import type { OwnAnswer, OwnRequest } from "./account.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
/** As long as use is kept, and some. */
const MOST_DAYS = 400;

/** `GET /account/usage?days=30`: what was answered by day (UTC), key and operation, today included. */
export async function usage({
  account,
  nowMs,
  people,
  query,
}: OwnRequest): Promise<OwnAnswer> {
  const days = readDays(query);
  if (days === null) {
    const message = `days must be a whole number from 1 to ${MOST_DAYS}, and nothing else can be given.`;
    const detail = {
      param: "days",
      code: "invalid_parameter",
      message,
    } as const;
    return {
      failure: { code: "invalid_parameter", message, details: [detail] },
    };
  }
  const since = nowMs - (days - 1) * DAY_MS;
  const rows = await people.accounts.usageByDay(account.id, since);
  return {
    status: 200,
    data: rows.map(({ day, keyId, operation, used }) => ({
      day,
      key_id: keyId,
      operation,
      used,
    })),
    meta: { days },
  };
}

function readDays(query: URLSearchParams): number | null {
  if (query.size === 0) return DEFAULT_DAYS;
  const [text = "", ...more] = query.getAll("days");
  const days = Number(text);
  return query.size === 1 &&
    more.length === 0 &&
    /^[0-9]{1,3}$/.test(text) &&
    days >= 1 &&
    days <= MOST_DAYS
    ? days
    : null;
}
