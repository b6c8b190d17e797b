import type { ErrorCode } from "../../contract/errors/errors.ts";
import { OPERATIONS } from "../../contract/operation.ts";

/** The reason why a key was rejected, or that it was missing; only for logs and metrics. */
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
 * The kinds that responses are counted as: operations, other routes, `malformed` if rejected before routing, `none` for
 * an unknown path.
 */
export const ANSWERED = [
  ...OPERATIONS,
  "mcp",
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

/** Counts answers for metrics. Each call takes some nanoseconds. */
export interface AnswerCounts {
  /** Counts an answer, and the milliseconds since its turn. */
  noteAnswer(answered: Answered, status: number, ms: number): void;
  noteFailure(code: ErrorCode): void;
  noteKeyRefused(reason: KeyRefusal): void;
}
