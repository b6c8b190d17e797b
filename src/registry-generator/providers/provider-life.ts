import { dayNumber, FIRST_DAY } from "../calendar.ts";
import type { Random } from "../random.ts";
import type { WeekChange } from "../week-changes.ts";

/** Shares of the whole registry, by rows. The rest up to 1 is deactivated. */
const INDIVIDUAL_SHARE = 0.76;
const ORGANIZATION_SHARE = 0.204;
/** Share of deactivated NPIs whose row still has its details, with an older reactivation. */
const OLDER_REACTIVATION_SHARE = 0.015;
/** Share of active NPIs that were deactivated once and reactivated. */
const REACTIVATED_SHARE = 0.0035;
/** In its first years the registry enumerated everyone already practicing. */
const FIRST_WAVE_SHARE = 0.22;
const FIRST_WAVE_DAYS = 900;
const NEVER_UPDATED_SHARE = 0.3;
/** When the registry started to ask for certifications. */
const FIRST_CERTIFICATION = dayNumber("2020-02-01");
const CERTIFIED_SHARE = 0.9;

/** Day number of an event that did not happen. */
export const NEVER = -1;

/** A provider's history up to a day: kind and dates (day numbers). One instance is reused for every row. */
export class ProviderLife {
  isOrganization = false;
  /** The registry publishes only the NPI and the deactivation date. */
  isWithheld = false;
  enumerated = 0;
  updated = 0;
  deactivated = NEVER;
  reactivated = NEVER;
  certified = NEVER;

  /** A history in the full file whose last day is `asOf`. */
  draw(random: Random, asOf: number): void {
    const draw = random.fraction();
    const isDeactivated = draw >= INDIVIDUAL_SHARE + ORGANIZATION_SHARE;
    const organizationShare =
      ORGANIZATION_SHARE / (INDIVIDUAL_SHARE + ORGANIZATION_SHARE);
    this.isOrganization = isDeactivated
      ? random.chance(organizationShare)
      : draw >= INDIVIDUAL_SHARE;
    this.enumerated = enumerationDay(random, asOf);
    this.updated = random.chance(NEVER_UPDATED_SHARE)
      ? this.enumerated
      : Math.max(
          dayBetween(random, this.enumerated, asOf),
          dayBetween(random, this.enumerated, asOf),
        );
    this.deactivated = NEVER;
    this.reactivated = NEVER;
    this.isWithheld = false;
    if (isDeactivated) {
      this.isWithheld = !random.chance(OLDER_REACTIVATION_SHARE);
      this.deactivated = this.isWithheld
        ? dayBetween(random, this.enumerated, asOf)
        : this.updated;
      if (!this.isWithheld)
        this.reactivated = dayBetween(
          random,
          this.enumerated,
          this.deactivated - 1,
        );
      // A provider deactivated on its enumeration day has no older day for a reactivation, so its row is withheld.
      if (this.reactivated >= this.deactivated) this.isWithheld = true;
    } else if (random.chance(REACTIVATED_SHARE)) {
      this.deactivated = dayBetween(random, this.enumerated, this.updated);
      this.reactivated = dayBetween(random, this.deactivated, this.updated);
    }
    this.#certify(random);
  }

  /** Applies a change of a week. */
  apply({ day, kind }: WeekChange, random: Random): void {
    if (kind === "enumeration") this.begin(day, random);
    else if (kind === "update") this.update(day, random);
    else if (kind === "deactivation") this.deactivate(day);
    else if (kind === "reactivation") this.reactivate(day, random);
  }

  /** Enumerated on this day. Keeps the kind that `draw` chose. */
  begin(day: number, random: Random): void {
    this.isWithheld = false;
    this.enumerated = day;
    this.deactivated = NEVER;
    this.reactivated = NEVER;
    this.update(day, random);
  }

  update(day: number, random: Random): void {
    this.updated = day;
    this.#certify(random);
  }

  deactivate(day: number): void {
    this.isWithheld = true;
    this.deactivated = day;
    this.reactivated = NEVER;
  }

  reactivate(day: number, random: Random): void {
    this.isWithheld = false;
    this.reactivated = day;
    this.update(day, random);
  }

  #certify(random: Random): void {
    const isCertifiable = this.updated >= FIRST_CERTIFICATION;
    this.certified =
      isCertifiable && random.chance(CERTIFIED_SHARE) ? this.updated : NEVER;
  }
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

/** A day from `first` to `last`, both inclusive; `first` if `last` is before it. */
function dayBetween(random: Random, first: number, last: number): number {
  return last <= first ? first : first + random.below(last - first + 1);
}
