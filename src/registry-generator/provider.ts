import type { History } from "./history.ts";
import type { Place } from "./places.ts";
import type { Specialty } from "./specialties.ts";

/** What the rows of a provider in all files agree on. */
export interface Provider {
  readonly index: number;
  readonly npi: string;
  readonly history: History;
  /** Added to the streams of its names and places if an update changed them. */
  readonly nameVersion: number;
  readonly placeVersion: number;
  readonly place: Place;
  readonly codes: readonly string[];
  /** Which of the codes has the switch; none if −1. */
  readonly primarySlot: number;
  readonly specialty: Specialty;
}
