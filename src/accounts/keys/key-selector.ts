import { KEY_PATTERN, MAX_KEY_DAYS } from "../../contract/credentials.ts";
import {
  DISPLAY_PREFIX_LENGTH,
  DISPLAY_SUFFIX_LENGTH,
  hashKey,
  isWellFormedKey,
  KEY_MARK,
} from "./api-key.ts";

/** Columns of the keys that are selected. */
export interface KeyFilter {
  readonly "api_key.id"?: number;
  readonly "api_key.account_id"?: number;
  readonly "api_key.hash"?: string;
  readonly "api_key.prefix"?: string;
  readonly "api_key.last_four"?: string;
}

const PREFIX = new RegExp(`^${KEY_MARK}[0-9A-Za-z]*$`);
const SUFFIX = new RegExp(`^[0-9A-Za-z]{${DISPLAY_SUFFIX_LENGTH}}$`);

/**
 * Parses a key's display prefix (12 characters; more are accepted, but only these are stored and compared), the prefix
 * with the last four (`pd_live_aB3x…9Zk2`, `...` works too), or a whole key. Returns a sentence about any other text.
 */
export function parseKeySelector(text: string): KeyFilter | string {
  const trimmed = text.trim();
  if (KEY_PATTERN.test(trimmed)) {
    return isWellFormedKey(trimmed)
      ? { "api_key.hash": hashKey(trimmed) }
      : "The key is mistyped: its checksum does not match.";
  }
  const [prefix = "", suffix, ...more] = trimmed.split(/…|\.\.\./);
  const isWellFormed =
    PREFIX.test(prefix) &&
    prefix.length < KEY_MARK.length + 36 &&
    more.length === 0;
  if (!isWellFormed || (suffix !== undefined && !SUFFIX.test(suffix)))
    return `A key starts with ${KEY_MARK}, followed by letters and digits.`;
  if (prefix.length < DISPLAY_PREFIX_LENGTH)
    return `Give at least the first ${DISPLAY_PREFIX_LENGTH} characters of the key.`;
  return {
    "api_key.prefix": prefix.slice(0, DISPLAY_PREFIX_LENGTH),
    ...(suffix === undefined ? {} : { "api_key.last_four": suffix }),
  };
}

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
