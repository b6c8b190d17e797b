import { isMilitary, STATE_CODES, stateNumber } from "../../contract/states.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Dictionary } from "../../snapshot/dictionary/dictionary.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { centroidIndex } from "../../snapshot/places/centroids.ts";
import { fold } from "../../text/fold.ts";
import { numbersOfCity } from "../filters/field-numbers.ts";

/** What a snapshot has of a city. */
export interface KnownCity {
  /** Providers there, in any state. */
  readonly total: number;
  /** Providers per state code. */
  readonly states: ReadonlyMap<string, number>;
}

/** What the words of a sentence mean to a snapshot. All look-ups are binary searches. */
export class Vocabulary {
  readonly #snapshot: Snapshot;
  #specialties: ReadonlySet<string> | undefined;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** A city by its name, folded or not; null if no provider is there. */
  city(name: string): KnownCity | null {
    const { places } = this.#snapshot;
    const states = new Map<string, number>();
    let total = 0;
    for (const place of this.#placesOf(name)) {
      const docs = places.starts[place + 1]! - places.starts[place]!;
      const code = STATE_CODES[places.state[place]! - 1] ?? "";
      states.set(code, (states.get(code) ?? 0) + docs);
      total += docs;
    }
    return total === 0 ? null : { total, states };
  }

  /** How many providers are in a state, by its code. */
  inState(code: string): number {
    const { from, to } = this.#snapshot.places.docsOfState(code);
    return to - from;
  }

  /**
   * The located ZIP with the most providers of a city: in a state, by its code, or in the state where the city has the
   * most; null if there is none.
   */
  centerOf(name: string, state: string | undefined): string | null {
    const { places } = this.#snapshot;
    const known = this.city(name);
    if (known === null) return null;
    const [most] = [...known.states].sort((a, b) => b[1] - a[1]);
    const wanted = stateNumber(state ?? most?.[0] ?? "");
    if (isMilitary(wanted)) return null;
    const docsOfZip = new Map<number, number>();
    for (const place of this.#placesOf(name)) {
      const zip = places.zip[place]! - 1;
      if (places.state[place] !== wanted || !this.#isLocated(zip)) continue;
      const docs = places.starts[place + 1]! - places.starts[place]!;
      docsOfZip.set(zip, (docsOfZip.get(zip) ?? 0) + docs);
    }
    const [best] = [...docsOfZip].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return best === undefined ? null : String(best[0]).padStart(5, "0");
  }

  /** Whether a ZIP has a known location. */
  isLocated(zip: string): boolean {
    return this.#isLocated(Number(zip));
  }

  /** Whether middle initials can be searched. */
  get hasMiddleInitials(): boolean {
    return this.#snapshot.middleInitials !== null;
  }

  /** How many providers have a folded phrase as their last name. */
  withLastName(folded: string): number {
    const { lastNames, nameDocs } = this.#snapshot;
    return docsOf(nameDocs, equalTo(lastNames, folded));
  }

  /** How many providers have a folded phrase as their first name. */
  withFirstName(folded: string): number {
    const { firstNameDocs, firstNames } = this.#snapshot;
    return docsOf(firstNameDocs, equalTo(firstNames, folded));
  }

  /** How many organizations have a folded word in their name. */
  withOrganizationWord(folded: string): number {
    const { organizationWordField, organizationWords } = this.#snapshot;
    return docsOf(
      organizationWordField.docs,
      equalTo(organizationWords, folded),
    );
  }

  /** Whether any name has a folded word. */
  isNameWord(folded: string): boolean {
    return (
      this.withLastName(folded) > 0 ||
      this.withFirstName(folded) > 0 ||
      this.withOrganizationWord(folded) > 0
    );
  }

  /** Whether an organization has exactly a folded name. */
  hasOrganization(folded: string): boolean {
    const { from, to } = equalTo(this.#snapshot.organizations, folded);
    return from < to;
  }

  /** Whether the name of an organization starts with the words of a folded phrase, and goes on. */
  startsOrganization(folded: string): boolean {
    const start = Buffer.from(`${folded} `);
    const { from, to } = this.#snapshot.organizations.withPrefix(start);
    return from < to;
  }

  /** Whether a folded phrase is the display name of a taxonomy that a provider has. */
  isSpecialty(folded: string): boolean {
    this.#specialties ??= new Set(
      this.#snapshot.taxonomyNames.map((name) => fold(name ?? "")),
    );
    return folded !== "" && this.#specialties.has(folded);
  }

  #placesOf(name: string): Uint32Array {
    const { cities, places } = this.#snapshot;
    const numbers = numbersOfCity(cities, { text: name, isPrefix: false });
    return places.placesIn(null, numbers, null);
  }

  #isLocated(zip: number): boolean {
    return zip >= 0 && centroidIndex(this.#snapshot.centroids, zip) >= 0;
  }
}

function equalTo(dictionary: Dictionary, folded: string): NumberRange {
  return folded === ""
    ? { from: 0, to: 0 }
    : dictionary.equalTo(Buffer.from(folded));
}

function docsOf({ starts }: Postings, { from, to }: NumberRange): number {
  return from === to ? 0 : starts[to]! - starts[from]!;
}
