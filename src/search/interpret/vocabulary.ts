import { isMilitary, STATE_CODES, stateNumber } from "../../contract/states.ts";
import type {
  Dictionary,
  NumberRange,
} from "../../snapshot/dictionary/dictionary.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { centroidIndex } from "../../snapshot/places/centroids.ts";
import { numbersOfCity } from "../filters/field-numbers.ts";
import { recent } from "../spelling/spelling.ts";
import type { TaxonomyList } from "../taxonomy-list.ts";
import { SpecialtyTexts } from "./specialty-texts.ts";

/** Answers that are kept of each kind: a text is read once for each of its completions. */
const MOST_RECENT = 1_000;

/** A snapshot's facts about a city. */
export interface KnownCity {
  /** Providers there, in any state. */
  readonly total: number;
  /** Providers per state code. */
  readonly states: ReadonlyMap<string, number>;
}

/**
 * The meanings of words in a snapshot, and the numbers of providers that have them. All look-ups are binary searches.
 */
export class Vocabulary {
  readonly #snapshot: Snapshot;
  readonly #taxonomies: () => TaxonomyList;
  #specialties: SpecialtyTexts | undefined;

  constructor(snapshot: Snapshot, taxonomies: () => TaxonomyList) {
    this.#snapshot = snapshot;
    this.#taxonomies = taxonomies;
  }

  /** The number of providers. */
  get count(): number {
    return this.#snapshot.count;
  }

  /** The texts that stand for specialties. */
  get specialties(): SpecialtyTexts {
    return (this.#specialties ??= new SpecialtyTexts(this.#taxonomies()));
  }

  /** A city by its name, folded or not; null if no provider is there. */
  readonly city = recent(MOST_RECENT, (name: string): KnownCity | null => {
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
  });

  /** Returns how many providers are in a state, by its code. */
  inState(code: string): number {
    const { from, to } = this.#snapshot.places.docsOfState(code);
    return to - from;
  }

  /**
   * Finds the located ZIP with the most providers of a city: in a state, by its code, or in the state where the city
   * has the most; null if there is none.
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

  /** True if a ZIP has a known location. */
  isLocated(zip: string): boolean {
    return this.#isLocated(Number(zip));
  }

  /** True if middle initials can be searched. */
  get hasMiddleInitials(): boolean {
    return this.#snapshot.middleInitials !== null;
  }

  /** The number of providers that have a folded phrase as their last name. */
  readonly withLastName = recent(MOST_RECENT, (folded: string) => {
    const { lastNames, nameDocs } = this.#snapshot;
    return docsOf(nameDocs, equalTo(lastNames, folded));
  });

  /** The number of providers that have a folded phrase as their first name. */
  readonly withFirstName = recent(MOST_RECENT, (folded: string) => {
    const { firstNameDocs, firstNames } = this.#snapshot;
    return docsOf(firstNameDocs, equalTo(firstNames, folded));
  });

  /** The number of organizations that have a folded word in their name. */
  readonly withOrganizationWord = recent(MOST_RECENT, (folded: string) => {
    const { organizationWordField, organizationWords } = this.#snapshot;
    return docsOf(
      organizationWordField.docs,
      equalTo(organizationWords, folded),
    );
  });

  /** Counts the providers with a folded word as their last or first name, or in an organization's. */
  withName(folded: string): number {
    return (
      this.withLastName(folded) +
      this.withFirstName(folded) +
      this.withOrganizationWord(folded)
    );
  }

  /** The number of organizations that have exactly a folded name. */
  readonly withOrganization = recent(MOST_RECENT, (folded: string) =>
    this.#organizationsIn(equalTo(this.#snapshot.organizations, folded)),
  );

  /** The number of organizations that have a name that starts with the words of a folded phrase, and goes on. */
  readonly startingOrganization = recent(MOST_RECENT, (folded: string) =>
    this.#organizationsIn(
      this.#snapshot.organizations.withPrefix(Buffer.from(`${folded} `)),
    ),
  );

  /** The number of providers that have a folded word in their credential, without periods: MD of `M.D., Ph.D.`. */
  readonly withCredential = recent(
    MOST_RECENT,
    (folded: string) => this.#snapshot.credentials?.countOf(folded) ?? 0,
  );

  #organizationsIn({ from, to }: NumberRange): number {
    if (from === to) return 0;
    const { lastNames, nameDocs } = this.#snapshot;
    const { count } = lastNames;
    return nameDocs.starts[to + count]! - nameDocs.starts[from + count]!;
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
