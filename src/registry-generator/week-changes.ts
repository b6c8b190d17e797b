import { FIRST_DAY } from "./calendar.ts";
import { NPI_COUNT } from "./npi-sequence.ts";
import { mix } from "./random.ts";

/** A week of the registry: its days (day numbers) and how many rows its file has. */
export interface Week {
  first: number;
  last: number;
  changes: number;
}

/** What a row of a weekly file tells of a provider; `repeat` is a row that is as it was in the full file. */
export interface WeekChange {
  kind: "enumeration" | "update" | "deactivation" | "reactivation" | "repeat";
  /** The day on which it happened. */
  day: number;
  /** The week's number, which no other week has; updates of different weeks differ by it. */
  week: number;
}

/** Shares of a weekly file's rows, as in the registry's own. */
const ENUMERATION_SHARE = 0.41;
const DEACTIVATION_SHARE = 0.02;
/** Among those of a week's providers that are deactivated already. */
const REACTIVATION_SHARE = 0.3;

/** New providers have indexes down from the top of all, a range for each of this many weeks. */
const NEW_PER_WEEK = 200_000;
const WEEKS_OF_NEW = 250;

/** The most providers of a full file: above lie the indexes of those whom weeks add. */
export const MAX_PROVIDERS = NPI_COUNT - NEW_PER_WEEK * WEEKS_OF_NEW;
/** The most rows of a week. */
export const MAX_CHANGES = NEW_PER_WEEK;

/** The number of the week that begins on a day. */
function weekNumber(first: number): number {
  return Math.floor((first - FIRST_DAY) / 7) + 1;
}

/**
 * The provider and the change of row `number` (0 to `changes` − 1) of a week over a full file of `providers` rows.
 * Rows of one week are different providers, as long as the week has no more rows than the full file. Weeks that follow
 * one another touch different providers while there are enough of them.
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
  const kind = changeKind(chance, isWithheld(index), mix(index ^ ordinal));
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

/** A number from 0 up to 1 that belongs to these bits. */
function fractionOf(bits: number): number {
  return (mix(bits) >>> 0) / 0x1_0000_0000;
}
