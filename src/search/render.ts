import { isoDate } from "../registry/dates.ts";
import { Entity } from "../registry/provider-row.ts";
import { STATE_CODES } from "../registry/states.ts";
import { entityOf, entityTypeOf, statusOf } from "../snapshot/kinds.ts";
import { Has } from "../snapshot/records.ts";
import type {
  Address,
  PersonName,
  Provider,
  Taxonomy,
} from "../registry/provider.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { SearchEntry } from "./query.ts";

/** Turns documents into what the service answers. Fields of a record are read in its order (`Has`). */
export class Renderer {
  readonly #snapshot: Snapshot;
  /** Per taxonomy number what an answer shows; the answers share the objects. */
  readonly #taxonomies: readonly (Taxonomy | null)[];
  /** Per city number its spelling, as far as it was asked for. */
  readonly #cities: (string | undefined)[];

  constructor(snapshot: Snapshot) {
    const { cities, taxonomies, taxonomyNames } = snapshot;
    this.#snapshot = snapshot;
    this.#cities = Array.from({ length: cities.count + 1 });
    this.#taxonomies = taxonomyNames.map((description, number) => {
      const code = taxonomies.spelling(number);
      return code === null ? null : { code, description };
    });
  }

  entry(doc: number): SearchEntry {
    return this.#entry(doc, this.#placeOf(doc));
  }

  #entry(doc: number, place: number): SearchEntry {
    const { records, npi, taxonomy } = this.#snapshot;
    records.open(doc);
    const city = this.#city(doc, place, records.number(Has.citySpelling));
    records.number(Has.file);
    const name = this.#name(doc);
    const state = this.#state(place);
    const kind = this.#snapshot.kinds.column[doc]!;
    return {
      npi: String(npi[doc]),
      entity_type: entityTypeOf(kind),
      name,
      organization_name: this.#organizationName(doc),
      status: statusOf(kind),
      primary_taxonomy: this.#taxonomies[taxonomy[doc]!] ?? null,
      city,
      state,
    };
  }

  provider(doc: number): Provider {
    const { records } = this.#snapshot;
    // What an entry shows stands first in the record; the rest is read on from there.
    const place = this.#placeOf(doc);
    const shown = this.#entry(doc, place);
    return {
      npi: shown.npi,
      entity_type: shown.entity_type,
      name: shown.name,
      organization_name: shown.organization_name,
      status: shown.status,
      enumeration_date: isoDate(records.day(Has.enumerationDate)),
      last_updated: isoDate(records.day(Has.lastUpdated)),
      deactivation_date: isoDate(records.day(Has.deactivationDate)),
      primary_taxonomy: shown.primary_taxonomy,
      practice_address: this.#address(doc, place, shown),
    };
  }

  /** The place of a document, or -1. */
  #placeOf(doc: number): number {
    const { places } = this.#snapshot;
    return doc < places.placedDocs ? places.placeOf(doc) : -1;
  }

  #city(doc: number, place: number, spelling: number): string | null {
    const { cities, places } = this.#snapshot;
    const number =
      place < 0
        ? places.looseCity[doc - places.placedDocs]!
        : places.city[place]! + spelling;
    return number === 0
      ? null
      : (this.#cities[number] ??= cities.spelling(number) ?? "");
  }

  #state(place: number): string | null {
    const { places, records } = this.#snapshot;
    return place < 0
      ? records.text(Has.state)
      : (STATE_CODES[places.state[place]! - 1] ?? null);
  }

  #name(doc: number): PersonName | null {
    const { firstName, firstNames, kinds, lastNames, name, records } =
      this.#snapshot;
    if (entityOf(kinds.column[doc]!) !== Entity.individual) return null;
    return {
      first: firstNames.spelling(firstName[doc]!),
      middle: records.text(Has.middle),
      last: lastNames.spelling(name[doc]!),
      credential: records.text(Has.credential),
    };
  }

  #organizationName(doc: number): string | null {
    const { kinds, lastNames, name, organizations } = this.#snapshot;
    const number = name[doc]!;
    if (entityOf(kinds.column[doc]!) !== Entity.organization || number === 0)
      return null;
    return organizations.spelling(number - lastNames.count);
  }

  #address(
    doc: number,
    place: number,
    { city, state }: SearchEntry,
  ): Address | null {
    const { places, records } = this.#snapshot;
    const zip =
      place < 0
        ? places.looseZip[doc - places.placedDocs]!
        : places.zip[place]!;
    const country = records.has(Has.noCountry)
      ? null
      : (records.text(Has.country) ?? "US");
    const postalCode = records.postalCode(zip - 1);
    const address = {
      address_1: records.text(Has.address1),
      address_2: records.text(Has.address2),
      city,
      state,
      postal_code: postalCode,
      country,
    };
    return Object.values(address).every((member) => member === null)
      ? null
      : address;
  }
}
