/** A calendar month in UTC. */
export interface Month {
  /** Year × 12 + month from 0: consecutive numbers for consecutive months. */
  readonly number: number;
  /** Its first millisecond, and that of the next month, since the epoch. */
  readonly startMs: number;
  readonly endMs: number;
}

/** Returns the month of a time (epoch milliseconds). */
export function monthAt(nowMs: number): Month {
  const date = new Date(nowMs);
  return monthNumbered(date.getUTCFullYear() * 12 + date.getUTCMonth());
}

/** Returns the month of a number, as in `Month.number`. */
function monthNumbered(number: number): Month {
  return {
    number,
    startMs: Date.UTC(0, number - 1900 * 12),
    endMs: Date.UTC(0, number + 1 - 1900 * 12),
  };
}

/** Returns a month's label in the database: `2026-11`. */
export function monthLabel(number: number): string {
  return `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, "0")}`;
}

/** Reads the month number of a label from `monthLabel`. */
export function monthOfLabel(label: string): number {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(label);
  if (match === null) throw new Error(`"${label}" is not a month`);
  return Number(match[1]) * 12 + Number(match[2]) - 1;
}
