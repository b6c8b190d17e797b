/** A count in a month as one number: the month's number × 2³⁶ + the count. Exact, and fits a 64-bit word. */
const MONTH_UNIT = 2 ** 36;

export function packCount(month: number, count: number): number {
  return month * MONTH_UNIT + count;
}

export function monthOf(counter: number): number {
  return Math.floor(counter / MONTH_UNIT);
}

export function countOf(counter: number): number {
  return counter % MONTH_UNIT;
}
