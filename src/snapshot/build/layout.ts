import {
  groupStarts,
  orderByGroup,
  orderByKey,
  sortedBy,
} from "../bytes/radix-sort.ts";
import { release } from "../bytes/release.ts";
import { NO_STATE } from "../../contract/states.ts";
import type { Dictionary, DictionaryDraft } from "../dictionary/dictionary.ts";
import { Entry, type SnapshotDraft } from "./draft.ts";
import type {
  UnplacedColumns,
  PlaceColumns,
} from "../places/place-sections.ts";

/** The order of a snapshot's documents, and their places. */
export interface Layout {
  /** Address of each document's entry. */
  entries: Uint32Array;
  places: PlaceColumns;
  unplaced: UnplacedColumns;
  /** Per place of the draft: its city spelling's number minus that of the city's first spelling; 0 without a state. */
  citySpellings: Uint32Array;
}

/**
 * Sorts rows into document order: state, compared city, ZIP, NPI; then rows without a known state, by NPI. `first` has
 * the first spelling of each city.
 */
export function layOut(
  draft: SnapshotDraft,
  cities: DictionaryDraft,
  first: Uint32Array,
): Layout {
  const { rows } = draft;
  const byNpi = rows.byNpi().last;
  const spelled = draft.places.columns();
  const city = spelled.city.map((id) => cities.numbers[id]!);
  const comparedCity = city.map((entry) => first[entry]!);
  const keys = { state: spelled.state, city: comparedCity, zip: spelled.zip };
  const { groups, ...places } = groupPlaces(keys);

  const placeOfRow = rows.column(Entry.place);
  const groupOfRow = new Uint32Array(placeOfRow.length);
  for (let row = 0; row < placeOfRow.length; row++)
    groupOfRow[row] = groups[placeOfRow[row]!]!;
  const starts = groupStarts(byNpi, groupOfRow, places.state.length + 1);
  const ordered = orderByGroup(byNpi, groupOfRow, starts);
  const unplacedFrom = starts.at(-2)!;
  const unplacedPlaces = ordered
    .subarray(unplacedFrom)
    .map((row) => placeOfRow[row]!);
  release(placeOfRow, groupOfRow, byNpi);
  return {
    entries: rows.toAddresses(ordered),
    places: { ...places, starts: starts.subarray(0, -1) },
    unplaced: {
      city: unplacedPlaces.map((place) => city[place]!),
      zip: unplacedPlaces.map((place) => spelled.zip[place]!),
    },
    citySpellings: city.map((entry, place) =>
      spelled.state[place] === NO_STATE ? 0 : entry - comparedCity[place]!,
    ),
  };
}

/** Per city entry, the first entry with the same compared city; 0 if folding leaves nothing. */
export function firstSpellings(cities: Dictionary): Uint32Array {
  const { offsets } = cities;
  const first = new Uint32Array(cities.count + 1);
  for (let entry = 1; entry <= cities.count; entry++) {
    if (cities.foldedEnd(entry) === offsets[entry]) continue;
    first[entry] =
      entry > 1 && cities.isFoldedAlike(entry - 1, entry)
        ? first[entry - 1]!
        : entry;
  }
  return first;
}

/**
 * The distinct places among the keys, in order, and the place of each key; for a key without a state, the number of
 * places.
 */
function groupPlaces({ city, state, zip }: Omit<PlaceColumns, "starts">): Omit<
  PlaceColumns,
  "starts"
> & {
  groups: Uint32Array;
} {
  const order = sortedBy(state, sortedBy(city, orderByKey(zip, zip.length)));
  const groups = new Uint32Array(order.length);
  const distinct = order.slice();
  let count = 0;
  for (const key of order) {
    if (state[key] === NO_STATE) continue;
    const last = distinct[count - 1];
    const isNew =
      last === undefined ||
      state[last] !== state[key] ||
      city[last] !== city[key] ||
      zip[last] !== zip[key];
    if (isNew) distinct[count++] = key;
    groups[key] = count - 1;
  }
  state.forEach((each, key) => {
    if (each === NO_STATE) groups[key] = count;
  });
  const places = distinct.subarray(0, count);
  return {
    groups,
    state: Uint8Array.from(places, (key) => state[key]!),
    city: places.map((key) => city[key]!),
    zip: places.map((key) => zip[key]!),
  };
}
