/** What is left of a limit. */
export interface Limit {
  readonly limit: number;
  readonly remaining: number;
  /** How many seconds until it is full again. */
  readonly resetSeconds: number;
}

/** What is left of the account's limits after a response. */
export interface RateLimit {
  /** The monthly quota. */
  readonly month: Limit | null;
  /** The requests at once. */
  readonly burst: Limit | null;
}

/** Reads the limits in the headers of a response; null if it has none, as a response without a key. */
export function rateLimitOf(headers: Headers): RateLimit | null {
  const policy = headers.get("ratelimit-policy") ?? "";
  const state = headers.get("ratelimit") ?? "";
  const month = limitOf("month", policy, state);
  const burst = limitOf("burst", policy, state);
  return month === null && burst === null ? null : { month, burst };
}

function limitOf(name: string, policy: string, state: string): Limit | null {
  const limit = valueOf(name, "q", policy);
  const remaining = valueOf(name, "r", state);
  const resetSeconds = valueOf(name, "t", state);
  return limit === null || remaining === null || resetSeconds === null
    ? null
    : { limit, remaining, resetSeconds };
}

/** Reads a number of a member of a list such as `"month";r=997;t=863999, "burst";r=9;t=1`. */
function valueOf(name: string, key: string, list: string): number | null {
  const pattern = new RegExp(`"${name}"[^,]*;${key}=(\\d+)`);
  const [, digits] = pattern.exec(list) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** Reads how many seconds to wait, from a number of seconds or a date; null if the response does not say. */
export function retryAfterOf(headers: Headers): number | null {
  const value = headers.get("retry-after") ?? "";
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date)
    ? null
    : Math.max(0, Math.ceil((date - Date.now()) / 1_000));
}
