/** Dates as day numbers: 1900-01-01 is 1; 2079-06-05 is 65,535, the maximum of 16 bits. NO_DATE (0) means no date. */

/** The day number that stands for no date. */
export const NO_DATE = 0;

/** The last day that has a number: 2079-06-05. */
export const LAST_DAY = 65_535;
const DAY_MS = 86_400_000;
const DAY_ZERO_MS = Date.UTC(1899, 11, 31);
const SLASH = 0x2f;
const ZERO = 0x30;
const ISO = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;

const DAYS_BEFORE_MONTH = Uint16Array.of(
  0,
  0,
  31,
  59,
  90,
  120,
  151,
  181,
  212,
  243,
  273,
  304,
  334,
);
const DAYS_IN_MONTH = Uint8Array.of(
  0,
  31,
  28,
  31,
  30,
  31,
  30,
  31,
  31,
  30,
  31,
  30,
  31,
);

/** A registry has about ten thousand distinct days, each used many times. */
const isoOfDay: (string | undefined)[] = [];

/** Reads the day number of the ten bytes `MM/DD/YYYY` at `[start, end)`; NO_DATE if they are not a valid date. */
export function dayOfBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  if (
    end - start !== 10 ||
    bytes[start + 2] !== SLASH ||
    bytes[start + 5] !== SLASH
  )
    return NO_DATE;
  const month = twoDigits(bytes, start);
  const day = twoDigits(bytes, start + 3);
  const century = twoDigits(bytes, start + 6);
  const year = twoDigits(bytes, start + 8);
  if (month < 0 || day < 0 || century < 0 || year < 0) return NO_DATE;
  return dayNumber(century * 100 + year, month, day);
}

/** Reads the day number of an ISO date, `YYYY-MM-DD`; NO_DATE if it is not a valid date from 1900 to June 2079. */
export function dayOfIso(iso: string): number {
  const parts = ISO.exec(iso);
  return parts === null
    ? NO_DATE
    : dayNumber(Number(parts[1]), Number(parts[2]), Number(parts[3]));
}

/** Returns the ISO date of a day number 1–65,535, `YYYY-MM-DD`; null for NO_DATE. */
export function isoDate(day: number): string | null {
  if (day === NO_DATE) return null;
  return (isoOfDay[day] ??= new Date(DAY_ZERO_MS + day * DAY_MS)
    .toISOString()
    .slice(0, 10));
}

function dayNumber(year: number, month: number, day: number): number {
  if (year < 1900 || year > 2079 || month < 1 || month > 12 || day < 1)
    return NO_DATE;
  // 2000 is a leap year and 1900 is not; 2100 is out of range.
  const leap = year % 4 === 0 && year !== 1900 ? 1 : 0;
  if (day > DAYS_IN_MONTH[month]! + (month === 2 ? leap : 0)) return NO_DATE;
  const leapDaysBefore = ((year - 1901) >> 2) + (year === 1900 ? 1 : 0);
  const number =
    (year - 1900) * 365 +
    leapDaysBefore +
    DAYS_BEFORE_MONTH[month]! +
    (month > 2 ? leap : 0) +
    day;
  return number > LAST_DAY ? NO_DATE : number;
}

/** Reads two digits as a number, or -1. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - ZERO;
  const ones = bytes[at + 1]! - ZERO;
  return tens >>> 0 > 9 || ones >>> 0 > 9 ? -1 : tens * 10 + ones;
}
