import type { ErrorCode } from "../../contract/errors.ts";
import { OPERATIONS } from "../../contract/operation.ts";

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

/**
 * What answers are counted as: the operations, what else there is, `malformed` for what was refused before a route was looked
 * for, and `none` for no such path.
 */
export const ANSWERED = [
  ...OPERATIONS,
  "status",
  "health",
  "documentation",
  "account",
  "auth",
  "billing",
  "explorer",
  "page",
  "asset",
  "malformed",
  "none",
] as const;
export type Answered = (typeof ANSWERED)[number];

/** Counts answers for whoever watches the service. Each call costs some nanoseconds. */
export interface AnswerCounts {
  /** An answer, so many milliseconds after its turn came. */
  noteAnswer(answered: Answered, status: number, ms: number): void;
  /** The answer is a failure. */
  noteFailure(code: ErrorCode): void;
  noteKeyRefused(reason: KeyRefusal): void;
}
