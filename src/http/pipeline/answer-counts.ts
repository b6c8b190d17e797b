import type { ErrorCode } from "../../contract/errors.ts";

/** Why a key, or the lack of one, was refused; for logs and metrics alone. */
export const KEY_REFUSALS = [
  "missing",
  "malformed",
  "never_issued",
  "revoked",
  "expired",
  "suspended",
  "not_looked_up",
  "unavailable",
] as const;
export type KeyRefusal = (typeof KEY_REFUSALS)[number];

/** In the place of a route: the request was refused before anybody looked for one. */
export const UNREAD = "(unread)";

/** Counts answers for whoever watches the service. Each call costs some nanoseconds. */
export interface AnswerCounts {
  /** An answer of a route as it was declared, null where there is none, or `UNREAD`; so many milliseconds after its turn came. */
  noteAnswer(route: string | null, status: number, ms: number): void;
  /** The answer is a failure. */
  noteFailure(code: ErrorCode): void;
  noteKeyRefused(reason: KeyRefusal): void;
}
