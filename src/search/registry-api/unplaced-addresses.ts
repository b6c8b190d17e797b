import type { Snapshot } from "../../snapshot/snapshot.ts";
import { isDeactivated } from "../../snapshot/postings/kinds.ts";
import { Has } from "../../snapshot/records/records.ts";
import { fold } from "../../text/fold.ts";
import { numbersOfCity } from "../filters/field-numbers.ts";
import { isIn } from "../filters/name-pairs.ts";
import { matchesPostalCode, type PostalCodeRule } from "./postal-code.ts";
import type { RegistryPlace } from "./registry-query.ts";

const US = "US";

/** The unplaced documents of active providers with an address, of each snapshot that was asked. */
const UNPLACED = new WeakMap<Snapshot, readonly number[]>();

/**
 * The documents without a place, such as those abroad, whose primary practice address matches: for snapshots without an
 * index of addresses. They are few, and a city is compared without reading records.
 */
export function unplacedMatches(
  snapshot: Snapshot,
  { city, country, state }: RegistryPlace,
  postalCode: PostalCodeRule | null,
): number[] {
  const { places, records } = snapshot;
  const cities = city === undefined ? null : numbersOfCity(places.cities, city);
  const [inCountry, inState] = [country, state].map(
    (code) => code && fold(code),
  );
  return unplacedDocs(snapshot).filter((doc) => {
    if (cities !== null && !isIn(cities, places.cityOf(doc, -1, 0)))
      return false;
    records.open(doc);
    return (
      (country === undefined ||
        fold(records.text(Has.country) ?? US) === inCountry) &&
      (state === undefined ||
        fold(records.text(Has.state) ?? "") === inState) &&
      (postalCode === null ||
        matchesPostalCode(
          postalCode,
          records.postalCode(places.zipOf(doc, -1) - 1),
        ))
    );
  });
}

/** Documents that include all unplaced ones that can match, ascending. */
export function unplacedDocs(snapshot: Snapshot): readonly number[] {
  const known = UNPLACED.get(snapshot);
  if (known !== undefined) return known;
  const { count, kinds, places, records } = snapshot;
  const docs: number[] = [];
  for (let doc = places.placedDocs; doc < count; doc++) {
    if (isDeactivated(kinds.column[doc]!)) continue;
    records.open(doc);
    const isEmpty =
      records.has(Has.noCountry) &&
      places.cityOf(doc, -1, 0) === 0 &&
      !records.has(Has.state) &&
      records.postalCode(places.zipOf(doc, -1) - 1) === null;
    if (!isEmpty) docs.push(doc);
  }
  UNPLACED.set(snapshot, docs);
  return docs;
}
