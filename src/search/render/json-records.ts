import { isoDate } from "../../text/dates.ts";
import { Entity } from "../../registry/rows/provider-row.ts";
import { STATE_CODES } from "../../contract/states.ts";
import {
  entityOf,
  entityTypeOf,
  KIND_COUNT,
  statusOf,
} from "../../snapshot/postings/kinds.ts";
import { Has } from "../../snapshot/records/records.ts";
import { constant, type JsonText } from "./json-text.ts";
import {
  SEPARATOR,
  type Dictionary,
} from "../../snapshot/dictionary/dictionary.ts";
import type { SnapshotView } from "../../snapshot/snapshot.ts";
import type { Hit } from "../query.ts";
import type { Members } from "./renderer.ts";

const NULL = constant("null");
const NPI = constant('{"npi":"');
/** The text between NPI and the first text of the name, and the text behind its last one, per kind of document. */
const BEFORE_NAME = perKind((kind) => {
  const isIndividual = entityOf(kind) === Entity.individual;
  const name = isIndividual ? '{"first":' : 'null,"organization_name":';
  return `","entity_type":${JSON.stringify(entityTypeOf(kind))},"name":${name}`;
});
const AFTER_NAME = perKind((kind) => {
  const isIndividual = entityOf(kind) === Entity.individual;
  const ending = isIndividual ? '},"organization_name":null' : "";
  return `${ending},"status":"${statusOf(kind)}"`;
});
const MIDDLE = constant(',"middle":');
const LAST = constant(',"last":');
const NO_MIDDLE = constant(',"middle":null,"last":');
const CREDENTIAL = constant(',"credential":');
const NO_CREDENTIAL = constant(',"credential":null');
const END = constant("}");
/** The text after the NPI of an entry of which nothing else is known, per kind of document. */
const BARE = perKind(
  (kind) =>
    `","entity_type":null,"name":null,"organization_name":null,"status":"${statusOf(kind)}","primary_taxonomy":null,"city":null,"state":null}`,
);
const ENUMERATED = constant(',"enumeration_date":');
const UPDATED = constant(',"last_updated":');
const DEACTIVATED = constant(',"deactivation_date":');
const TAXONOMY = ',"primary_taxonomy":';
const CITY = constant(',"city":');
const STATE = constant(',"state":');
const ADDRESS = constant(',"practice_address":');
const ADDRESS_1 = constant('{"address_1":');
const ADDRESS_2 = constant(',"address_2":');
const POSTAL_CODE = constant(',"postal_code":');
const COUNTRY = constant(',"country":');
const US = constant('"US"');
/** Strings that JSON does not escape: dates, states, most postal codes. */
const PLAIN = /^[A-Z0-9-]*$/;
const DISTANCE = constant(',"distance_miles":');
const MATCHED_PRIMARY = constant(
  ',"matched_location":{"kind":"primary","address":',
);

/** The place of an entry, and its text in the response. */
interface Whereabouts {
  city: number;
  state: string | null;
  miles: number;
  from: number;
  to: number;
}

/** Renders documents as JSON, with the members in `query.ts` and `contract/provider.ts`, in their order. */
export class JsonRecords {
  readonly #snapshot: SnapshotView;
  readonly #out: JsonText;
  /** The member of each taxonomy, by number. */
  readonly #taxonomies: readonly Uint8Array[];
  /** The place and distance of the last entry that had others than the entry before, and their text in the answer. */
  readonly #last: Whereabouts = {
    city: -1,
    state: null,
    miles: 0,
    from: 0,
    to: 0,
  };

  constructor(snapshot: SnapshotView, out: JsonText) {
    const { taxonomies, taxonomyNames } = snapshot;
    this.#snapshot = snapshot;
    this.#out = out;
    this.#taxonomies = taxonomyNames.map((description, number) => {
      const code = taxonomies.spelling(number);
      const taxonomy = code === null ? null : { code, description };
      return constant(TAXONOMY + JSON.stringify(taxonomy));
    });
  }

  /** Starts the entries of an answer. */
  startEntries(): void {
    this.#last.city = -1;
  }

  /** Writes an entry of a page. */
  entry({ doc, matched, miles }: Hit): void {
    if (miles === undefined && this.#isBare(doc)) return this.#bareEntry(doc);
    const place = this.#snapshot.places.placeOf(doc);
    const city = this.#begin(doc, place);
    const state = this.#stateOf(place);
    this.#writeTaxonomy(doc);
    this.#whereabouts(city, state, miles);
    if (matched === "primary") this.#matchedPrimary(doc, place, city, state);
    else if (matched !== undefined)
      writeMembers(this.#out, {
        matched_location: { kind: "secondary", address: matched },
      });
    this.#out.raw(END);
  }

  /** Writes a provider's record, with details at the end, which `writeDetails` wrote. */
  record(doc: number, details?: Uint8Array): void {
    const out = this.#out;
    const { records } = this.#snapshot;
    const place = this.#snapshot.places.placeOf(doc);
    const city = this.#begin(doc, place);
    const state = this.#stateOf(place);
    this.#date(ENUMERATED, records.day(Has.enumerationDate));
    this.#date(UPDATED, records.day(Has.lastUpdated));
    this.#date(DEACTIVATED, records.day(Has.deactivationDate));
    this.#writeTaxonomy(doc);
    out.raw(ADDRESS);
    this.#address(doc, place, city, state);
    if (details !== undefined) out.raw(details);
    out.raw(END);
  }

  /** Writes city, state, and distance. Neighbors often have the same, which are then copied. */
  #whereabouts(city: number, state: string | null, miles = -1): void {
    const out = this.#out;
    const last = this.#last;
    if (city === last.city && state === last.state && miles === last.miles) {
      out.again(last.from, last.to);
      return;
    }
    last.city = city;
    last.state = state;
    last.miles = miles;
    last.from = out.length;
    out.raw(CITY);
    this.#spelling(this.#snapshot.cities, city);
    out.raw(STATE);
    this.#string(state);
    if (miles >= 0) {
      out.raw(DISTANCE);
      out.ascii(String(Math.round(miles * 100) / 100));
    }
    last.to = out.length;
  }

  /** Writes the address at which an entry was found, if it is that of its record. */
  #matchedPrimary(
    doc: number,
    place: number,
    city: number,
    state: string | null,
  ): void {
    this.#out.raw(MATCHED_PRIMARY);
    this.#address(doc, place, city, state);
    this.#out.raw(END);
  }

  /** True if only the NPI and the status of an entry are known, as for hundreds of thousands. */
  #isBare(doc: number): boolean {
    const { kinds, places, records, taxonomy } = this.#snapshot;
    if (entityOf(kinds.column[doc]!) !== Entity.withheld) return false;
    if (taxonomy[doc] !== 0 || doc < places.placedDocs) return false;
    records.open(doc);
    return (
      places.unplacedCity[doc - places.placedDocs] === 0 &&
      !records.has(Has.state)
    );
  }

  #bareEntry(doc: number): void {
    const { kinds, npi } = this.#snapshot;
    this.#out.raw(NPI);
    this.#out.tenDigits(npi[doc]!);
    this.#out.raw(BARE[kinds.column[doc]!]!);
  }

  /** Writes the first members of records and entries. Returns the city's number. */
  #begin(doc: number, place: number): number {
    const out = this.#out;
    const { kinds, lastNames, name, npi, organizations, places, records } =
      this.#snapshot;
    records.open(doc);
    const spelling = records.number(Has.citySpelling);
    const kind = kinds.column[doc]!;
    out.raw(NPI);
    out.tenDigits(npi[doc]!);
    out.raw(BEFORE_NAME[kind]!);
    if (entityOf(kind) === Entity.individual) this.#name(doc);
    else {
      const number = name[doc]!;
      const isNamed = entityOf(kind) === Entity.organization && number !== 0;
      this.#spelling(organizations, isNamed ? number - lastNames.count : 0);
    }
    out.raw(AFTER_NAME[kind]!);
    return places.cityOf(doc, place, spelling);
  }

  /** Writes the texts of an individual's name, and what is between them. */
  #name(doc: number): void {
    const out = this.#out;
    const { firstName, firstNames, lastNames, name, records } = this.#snapshot;
    this.#spelling(firstNames, firstName[doc]!);
    if (records.has(Has.middle)) {
      out.raw(MIDDLE);
      this.#text(Has.middle);
      out.raw(LAST);
    } else out.raw(NO_MIDDLE);
    this.#spelling(lastNames, name[doc]!);
    if (records.has(Has.credential)) {
      out.raw(CREDENTIAL);
      this.#text(Has.credential);
    } else out.raw(NO_CREDENTIAL);
  }

  #writeTaxonomy(doc: number): void {
    this.#out.raw(this.#taxonomies[this.#snapshot.taxonomy[doc]!]!);
  }

  #address(
    doc: number,
    place: number,
    city: number,
    state: string | null,
  ): void {
    const out = this.#out;
    const { cities, places, records } = this.#snapshot;
    const hasCountry = !records.has(Has.noCountry);
    const country = records.text(Has.country);
    const postalCode = records.postalCode(places.zipOf(doc, place) - 1);
    const isEmpty =
      city === 0 &&
      state === null &&
      postalCode === null &&
      !hasCountry &&
      !records.has(Has.address1) &&
      !records.has(Has.address2);
    if (isEmpty) return out.raw(NULL);
    out.raw(ADDRESS_1);
    this.#text(Has.address1);
    out.raw(ADDRESS_2);
    this.#text(Has.address2);
    out.raw(CITY);
    this.#spelling(cities, city);
    out.raw(STATE);
    this.#string(state);
    out.raw(POSTAL_CODE);
    this.#string(postalCode);
    out.raw(COUNTRY);
    if (hasCountry && country === null) out.raw(US);
    else this.#string(country);
    out.raw(END);
  }

  #stateOf(place: number): string | null {
    const { places, records } = this.#snapshot;
    return place < 0
      ? records.text(Has.state)
      : (STATE_CODES[places.state[place]! - 1] ?? null);
  }

  #date(member: Uint8Array, day: number): void {
    this.#out.raw(member);
    this.#string(isoDate(day));
  }

  /** Writes the spelling of an entry, null for 0. */
  #spelling(dictionary: Dictionary, number: number): void {
    if (number === 0) this.#out.raw(NULL);
    else
      this.#out.quoted(
        dictionary.bytes,
        dictionary.offsets[number]!,
        dictionary.offsets[number + 1]!,
        SEPARATOR,
      );
  }

  /** Writes a text of the opened record; null if it has none. */
  #text(field: number): void {
    const { records } = this.#snapshot;
    const length = records.gather(field);
    if (length === 0) this.#out.raw(NULL);
    else this.#out.quoted(records.gathered, 0, length);
  }

  #string(text: string | null): void {
    if (text === null) this.#out.raw(NULL);
    else if (PLAIN.test(text)) this.#out.ascii(`"${text}"`);
    else this.#out.raw(constant(JSON.stringify(text)));
  }
}

/** Makes constant text for each kind of document. */
function perKind(text: (kind: number) => string): readonly Uint8Array[] {
  return Array.from({ length: KIND_COUNT }, (_, kind) => constant(text(kind)));
}

/** Writes members after those of an object. */
export function writeMembers(out: JsonText, members: Members): void {
  const text = textOfMembers(members);
  if (text !== "") out.utf8(text);
}

/** Returns the text of members that follow those of an object; empty for none. */
export function textOfMembers(members: Members): string {
  let text = "";
  for (const name in members)
    text += `,"${name}":${JSON.stringify(members[name])}`;
  return text;
}
