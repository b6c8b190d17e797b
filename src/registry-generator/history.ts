import { dayNumber, FIRST_DAY } from "./calendar.ts";
import type { Random } from "./random.ts";
import type { WeekChange } from "./week-changes.ts";
import type { Place } from "./places.ts";
import type { Specialty } from "./specialties.ts";

/** Shares of the whole registry, by rows. The rest up to 1 is deactivated. */
const INDIVIDUAL_SHARE = 0.76;
const ORGANIZATION_SHARE = 0.204;
const ACTIVE_SHARE = INDIVIDUAL_SHARE + ORGANIZATION_SHARE;
/** Share of deactivated NPIs whose row still has its details, with an older reactivation. */
const OLDER_REACTIVATION_SHARE = 0.015;
/** Share of active NPIs that were deactivated once and reactivated. */
const REACTIVATED_SHARE = 0.0035;
/** In its first years the registry enumerated everyone already practicing. */
const FIRST_WAVE_SHARE = 0.22;
const FIRST_WAVE_DAYS = 900;
const NEVER_UPDATED_SHARE = 0.3;
/** The day when the registry started to ask for certifications. */
const FIRST_CERTIFICATION = dayNumber("2020-02-01");
const CERTIFIED_SHARE = 0.9;

/** A provider's kind, and the days (day numbers) of what happened to it. */
export interface History {
  isOrganization: boolean;
  /** The registry publishes only the NPI and the deactivation date. */
  isWithheld: boolean;
  enumerated: number;
  updated: number;
  deactivated: number | null;
  reactivated: number | null;
  certified: number | null;
}

/** Draws a history in the full file whose last day is `asOf`, followed by a week's change. */
export function drawHistory(
  random: Random,
  asOf: number,
  change?: WeekChange,
): History {
  const draw = random.fraction();
  const isDeactivated = draw >= ACTIVE_SHARE;
  const isOrganization = isDeactivated
    ? random.chance(ORGANIZATION_SHARE / ACTIVE_SHARE)
    : draw >= INDIVIDUAL_SHARE;
  const enumerated = enumerationDay(random, asOf);
  const updated = random.chance(NEVER_UPDATED_SHARE)
    ? enumerated
    : Math.max(
        dayBetween(random, enumerated, asOf),
        dayBetween(random, enumerated, asOf),
      );
  const isWithheld =
    isDeactivated &&
    (enumerated === updated || !random.chance(OLDER_REACTIVATION_SHARE));
  let deactivated: number | null = null;
  let reactivated: number | null = null;
  if (isWithheld) deactivated = dayBetween(random, enumerated, asOf);
  else if (isDeactivated) {
    deactivated = updated;
    reactivated = dayBetween(random, enumerated, updated - 1);
  } else if (random.chance(REACTIVATED_SHARE)) {
    deactivated = dayBetween(random, enumerated, updated);
    reactivated = dayBetween(random, deactivated, updated);
  }
  const history: History = {
    isOrganization,
    isWithheld,
    enumerated,
    updated,
    deactivated,
    reactivated,
    certified: null,
  };
  if (change !== undefined) apply(history, change);
  if (history.updated >= FIRST_CERTIFICATION && random.chance(CERTIFIED_SHARE))
    history.certified = history.updated;
  return history;
}

function apply(history: History, { day, kind }: WeekChange): void {
  if (kind === "repeat") return;
  history.isWithheld = kind === "deactivation";
  if (kind === "deactivation") history.deactivated = day;
  else history.updated = day;
  if (kind === "enumeration") {
    history.enumerated = day;
    history.deactivated = null;
  }
  if (kind === "reactivation") history.reactivated = day;
  else if (kind !== "update") history.reactivated = null;
}

function enumerationDay(random: Random, asOf: number): number {
  const waveEnd = Math.min(FIRST_DAY + FIRST_WAVE_DAYS, asOf);
  if (random.chance(FIRST_WAVE_SHARE))
    return dayBetween(random, FIRST_DAY, waveEnd);
  // Later years have slightly more than earlier ones.
  const fraction = random.chance(0.5)
    ? Math.sqrt(random.fraction())
    : random.fraction();
  return waveEnd + Math.floor(fraction * (asOf - waveEnd + 1));
}

/** Draws a day from `first` to `last`, both inclusive; `first` if `last` is before it. */
function dayBetween(random: Random, first: number, last: number): number {
  return last <= first ? first : first + random.below(last - first + 1);
}

/** The facts on which the rows of a provider in all files agree. */
export interface Provider {
  readonly index: number;
  readonly npi: string;
  readonly history: History;
  /** Added to the streams of its names and places if an update changed them. */
  readonly nameVersion: number;
  readonly placeVersion: number;
  readonly place: Place;
  readonly codes: readonly string[];
  /** The index of the code that has the switch; −1 for none. */
  readonly primarySlot: number;
  readonly specialty: Specialty;
}
