import { MAX_KEY_DAYS } from "../../contract/credentials.ts";

/** Returns when a key ends from when it is created, both in epoch milliseconds. */
export type KeyEnd = (nowMs: number) => number;

const DAY_MS = 86_400_000;
const MOMENT =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:[0-9]{2}))?$/;

/** Parses a day, meaning its start in UTC, or a time with its zone (RFC 3339); null for any other text. */
export function parseMoment(text: string): number | null {
  const [, day = ""] = MOMENT.exec(text) ?? [];
  const at = Date.parse(text);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // 30 February parses as a day of March.
  const isDay =
    Number.isFinite(midnight) &&
    new Date(midnight).toISOString().startsWith(day);
  return isDay && Number.isFinite(at) ? at : null;
}

/** Parses `90d`, or what `parseMoment` accepts; null for any other text. */
export function parseKeyEnd(text: string): KeyEnd | null {
  const [, days] = /^([1-9][0-9]{0,3})d$/.exec(text) ?? [];
  if (days !== undefined) return (nowMs) => nowMs + Number(days) * DAY_MS;
  const at = parseMoment(text);
  return at === null ? null : () => at;
}

/** True if a key may end then: after its creation, and within the longest lifetime. */
export function isKeyEnd(atMs: number, nowMs: number): boolean {
  return atMs > nowMs && atMs <= nowMs + MAX_KEY_DAYS * DAY_MS;
}
