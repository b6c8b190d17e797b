/** Rows of an export that count as one answer. */
const ROWS_PER_ANSWER = 100;

/** How many answers so many rows count as. */
export function answersOfRows(rows: number): number {
  return Math.max(1, Math.ceil(rows / ROWS_PER_ANSWER));
}
