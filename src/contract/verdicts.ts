/** The verdicts of a batch on a number. */
export const VERDICTS = [
  "active",
  "deactivated",
  "not_found",
  "invalid_check_digit",
  "malformed",
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The most suggestions for a wrong number. */
export const MAX_SUGGESTIONS = 5;

/** The most numbers of a batch. */
export const MAX_BATCH_NPIS = 500;
