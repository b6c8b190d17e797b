import type { Snapshot } from "../../snapshot/snapshot.ts";
import { isDeactivated } from "../../snapshot/postings/kinds.ts";
import { Has } from "../../snapshot/records/records.ts";
import { fold } from "../../text/fold.ts";
import { numbersOfCity } from "../filters/field-numbers.ts";
import { isIn } from "../filters/name-pairs.ts";
import { matchesPostalCode, type PostalCodeRule } from "./postal-code.ts";
import type { RegistryPlace } from "./registry-query.ts";

const US = "US";
const NONE = new Uint32Array(0);

/** The unplaced documents of active providers by country, ascending; of each snapshot that was asked. */
const BY_COUNTRY = new WeakMap<Snapshot, ReadonlyMap<string, Uint32Array>>();

/**
 * The documents without a place, such as those abroad, whose primary practice address matches: for snapshots without an
 * index of addresses. They are few, and a city is compared without reading records.
 */
export class UnplacedAddresses {
  readonly bound: number;
  readonly #snapshot: Snapshot;
  readonly #place: RegistryPlace;
  readonly #postalCode: PostalCodeRule | null;
  readonly #candidates: readonly Uint32Array[];
  #docs: Uint32Array | undefined;

  constructor(
    snapshot: Snapshot,
    place: RegistryPlace,
    postalCode: PostalCodeRule | null,
  ) {
    const byCountry = documentsByCountry(snapshot);
    this.#snapshot = snapshot;
    this.#place = place;
    this.#postalCode = postalCode;
    this.#candidates =
      place.country === undefined
        ? [...byCountry.values()]
        : [byCountry.get(fold(place.country)) ?? NONE];
    this.bound = this.#candidates.reduce((sum, docs) => sum + docs.length, 0);
  }

  /** The documents that match, ascending. */
  get docs(): Uint32Array {
    return (this.#docs ??= this.#find());
  }

  #find(): Uint32Array {
    const { places, records } = this.#snapshot;
    const { city, state } = this.#place;
    const cities =
      city === undefined ? null : numbersOfCity(places.cities, city);
    const code = state === undefined ? null : fold(state);
    const found: number[] = [];
    for (const docs of this.#candidates)
      for (const doc of docs) {
        if (cities !== null && !isIn(cities, places.cityOf(doc, -1, 0)))
          continue;
        records.open(doc);
        if (code !== null && fold(records.text(Has.state) ?? "") !== code)
          continue;
        if (
          this.#postalCode === null ||
          matchesPostalCode(
            this.#postalCode,
            records.postalCode(places.zipOf(doc, -1) - 1),
          )
        )
          found.push(doc);
      }
    return Uint32Array.from(found).sort();
  }
}

function documentsByCountry(
  snapshot: Snapshot,
): ReadonlyMap<string, Uint32Array> {
  const known = BY_COUNTRY.get(snapshot);
  if (known !== undefined) return known;
  const { count, kinds, places, records } = snapshot;
  const lists = new Map<string, number[]>();
  for (let doc = places.placedDocs; doc < count; doc++) {
    if (isDeactivated(kinds.column[doc]!)) continue;
    records.open(doc);
    const isEmpty =
      records.has(Has.noCountry) &&
      places.cityOf(doc, -1, 0) === 0 &&
      !records.has(Has.state) &&
      records.postalCode(places.zipOf(doc, -1) - 1) === null;
    if (isEmpty) continue;
    const country = fold(records.text(Has.country) ?? US);
    const list = lists.get(country);
    if (list === undefined) lists.set(country, [doc]);
    else list.push(doc);
  }
  const byCountry = new Map(
    [...lists].map(([country, docs]) => [country, Uint32Array.from(docs)]),
  );
  BY_COUNTRY.set(snapshot, byCountry);
  return byCountry;
}
