import { RegistryGeneratorError } from "./registry-generator-error.ts";

/** Dates as day numbers (days since 1970-01-01, UTC) and as the registry writes them. */

const DAY_MS = 86_400_000;
const ISO_DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** The day on which the registry assigned its first NPI; the name of every full file starts with it. */
export const FIRST_DAY = dayNumber("2005-05-23");

/** Returns the day number of an ISO date. Throws RegistryGeneratorError if it is not a valid date. */
export function dayNumber(isoDate: string): number {
  const time = ISO_DATE.test(isoDate)
    ? Date.parse(`${isoDate}T00:00:00Z`)
    : Number.NaN;
  // Some engines read 30 February as 1 or 2 March, so the date must convert back to itself.
  if (Number.isNaN(time) || isoDay(time / DAY_MS) !== isoDate)
    throw new RegistryGeneratorError(
      `${isoDate} is not a date. Write it as YYYY-MM-DD.`,
    );
  return time / DAY_MS;
}

function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Writes the date of a day number without separators, as in file names: `20261109`. */
export function compactDate(day: number): string {
  return isoDay(day).replaceAll("-", "");
}

const written: string[] = [];

/** Writes the date of a day number from FIRST_DAY on as the registry does: `11/09/2026`. */
export function registryDate(day: number): string {
  return (written[day - FIRST_DAY] ??= isoDay(day).replace(
    /(.*)-(.*)-(.*)/,
    "$2/$3/$1",
  ));
}
