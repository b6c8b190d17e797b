import { RegistryGeneratorError } from "./registry-generator-error.ts";

/** Dates as day numbers (days since 1970-01-01, UTC) and as the registry writes them. */

const DAY_MS = 86_400_000;
const ISO_DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
/** Length of `MM/DD/YYYY`. */
const DATE_BYTES = 10;

/** The day on which the registry assigned its first NPI; the name of every full file starts with it. */
export const FIRST_DAY = dayNumber("2005-05-23");

/** The day number of an ISO date. Throws RegistryGeneratorError if it is not a valid date. */
export function dayNumber(isoDate: string): number {
  const time = ISO_DATE.test(isoDate)
    ? Date.parse(`${isoDate}T00:00:00Z`)
    : Number.NaN;
  // Some engines read 30 February as 1 or 2 March, so the date must convert back to itself.
  if (
    Number.isNaN(time) ||
    new Date(time).toISOString().slice(0, 10) !== isoDate
  ) {
    throw new RegistryGeneratorError(
      `${isoDate} is not a date. Write it as YYYY-MM-DD.`,
    );
  }
  return time / DAY_MS;
}

/** The date of a day number without separators, as in file names: `20261109`. */
export function compactDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "");
}

/** All dates of a period, in the registry's format, ready to be copied. */
export class DateBytes {
  readonly #first: number;
  readonly #bytes: Uint8Array;

  constructor(first: number, last: number) {
    this.#first = first;
    this.#bytes = new Uint8Array((last - first + 1) * DATE_BYTES);
    const encoder = new TextEncoder();
    for (let day = first; day <= last; day++) {
      const [year, month, dayOfMonth] = new Date(day * DAY_MS)
        .toISOString()
        .slice(0, 10)
        .split("-");
      this.#bytes.set(
        encoder.encode(`${month}/${dayOfMonth}/${year}`),
        (day - first) * DATE_BYTES,
      );
    }
  }

  put(target: Uint8Array, at: number, day: number): number {
    const from = (day - this.#first) * DATE_BYTES;
    for (let i = 0; i < DATE_BYTES; i++)
      target[at + i] = this.#bytes[from + i]!;
    return at + DATE_BYTES;
  }
}
