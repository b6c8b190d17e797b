import type { History } from "./history.ts";
import type { Place } from "./places.ts";
import type { Specialty } from "./specialties.ts";

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
