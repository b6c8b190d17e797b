/** The operations that requests are counted as. */
export const OPERATIONS = [
  "lookup",
  "batch",
  "search",
  "nearby",
  "changes",
  "taxonomies",
  "export",
  "registry_api",
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Rows of an export, or of a download from the explorer, that count as one answer. */
const ROWS_PER_ANSWER = 100;

/** Returns how many answers a number of rows counts as. */
export function answersOfRows(rows: number): number {
  return Math.max(1, Math.ceil(rows / ROWS_PER_ANSWER));
}

/**
 * Rows of a download from the explorer: a signed-in user's, which browsers keep in memory until it is saved, and anyone
 * else's.
 */
export const MAX_DOWNLOAD_ROWS = { account: 100_000, visitor: 1_000 };
