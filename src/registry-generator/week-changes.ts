import { FIRST_DAY } from "./calendar.ts";
import { NPI_COUNT } from "./npi-sequence.ts";
import { mix } from "./random.ts";
import { WELL_KNOWN } from "./well-known.ts";

/** A week of the registry: its days (day numbers) and the number of rows in its file. */
export interface Week {
  first: number;
  last: number;
  changes: number;
}

/** A provider's change in a row of a weekly file; `repeat` is an unchanged row. */
export interface WeekChange {
  kind: "enumeration" | "update" | "deactivation" | "reactivation" | "repeat";
  /** The day of the change. */
  day: number;
  /** The week's number, which is unique. Updates in different weeks differ by it. */
  week: number;
}

/** Shares of a weekly file's rows, as in the registry's files. */
const ENUMERATION_SHARE = 0.41;
const DEACTIVATION_SHARE = 0.02;
/** Share of the already deactivated providers of a week. */
const REACTIVATION_SHARE = 0.3;

/** New providers have the highest indexes, counting down, a range for each of this many weeks. */
const NEW_PER_WEEK = 200_000;
const WEEKS_OF_NEW = 250;

/** The maximum providers of a full file. Higher indexes are for those that weeks add. */
export const MAX_PROVIDERS = NPI_COUNT - NEW_PER_WEEK * WEEKS_OF_NEW;
/** The maximum rows of a week. */
export const MAX_CHANGES = NEW_PER_WEEK;

/** Returns the number of the week that starts on a day. */
function weekNumber(first: number): number {
  return Math.floor((first - FIRST_DAY) / 7) + 1;
}

/**
 * Chooses the provider and change of row `number` (0 to `changes` − 1) of a week after a full file of `providers` rows.
 * The rows of one week are different providers if the week does not have more rows than the full file. Consecutive
 * weeks change different providers as long as there are enough.
 */
export function weekChange(
  seed: number,
  providers: number,
  week: Week,
  number: number,
  isWithheld: (index: number) => boolean,
): { index: number; change: WeekChange } {
  const ordinal = weekNumber(week.first);
  const chance = fractionOf(mix(seed ^ ordinal) + number);
  const day =
    week.first +
    Math.floor(
      fractionOf(mix(seed + ordinal) ^ number) * (week.last - week.first + 1),
    );
  if (chance < ENUMERATION_SHARE) {
    const index =
      NPI_COUNT - 1 - ((ordinal % WEEKS_OF_NEW) * NEW_PER_WEEK + number);
    return { index, change: { kind: "enumeration", day, week: ordinal } };
  }
  const start = Math.floor((number * providers) / week.changes);
  const stride = Math.max(
    1,
    Math.floor(((number + 1) * providers) / week.changes) - start,
  );
  const index =
    start +
    ((Math.floor(fractionOf(mix(seed) ^ number) * stride) + ordinal) % stride);
  const kind =
    index < WELL_KNOWN.length
      ? "repeat"
      : changeKind(chance, isWithheld(index), mix(index ^ ordinal));
  return { index, change: { kind, day, week: ordinal } };
}

function changeKind(
  chance: number,
  withheld: boolean,
  bits: number,
): WeekChange["kind"] {
  if (withheld)
    return fractionOf(bits) < REACTIVATION_SHARE ? "reactivation" : "repeat";
  return chance < ENUMERATION_SHARE + DEACTIVATION_SHARE
    ? "deactivation"
    : "update";
}

/** Returns a number from 0 (inclusive) to 1 (exclusive) for these bits. */
function fractionOf(bits: number): number {
  return (mix(bits) >>> 0) / 0x1_0000_0000;
}
