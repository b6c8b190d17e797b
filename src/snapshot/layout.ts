import { PLACE_KEY_BYTES, type SnapshotDraft } from "./draft.ts";
import { orderByGroup, orderByKey } from "./radix-sort.ts";
import type { DictionaryDraft } from "./dictionary.ts";

/** The order of a snapshot's documents, and the places that they stand in. */
export interface Layout {
  /** Per document the row that it comes from. */
  rows: Uint32Array;
  /** The documents in ascending order of NPI. */
  docsByNpi: Uint32Array;
  places: {
    state: Uint8Array;
    city: Uint32Array;
    zip: Uint32Array;
    starts: Uint32Array;
  };
  /** Per document without a place: its city's entry, the first entry of what that city is compared as, the ZIP plus one. */
  loose: { city: Uint32Array; comparedCity: Uint32Array; zip: Uint32Array };
  /** How many entries the dictionary of cities has. */
  cityCount: number;
  /** Per row's place, its number in the snapshot's order. */
  placeOfRow: (row: number) => number;
}

/** Puts the rows in the snapshot's order: state, compared city, ZIP, NPI; rows without a known state last, by NPI. */
export function layOut(draft: SnapshotDraft, cities: DictionaryDraft): Layout {
  const { rows } = draft;
  const byNpi = lastRowPerNpi(rows.npi, rows.count);
  const firstEntries = firstEntryPerComparedCity(draft, cities);
  const { order, rank } = sortPlaces(draft, firstEntries);
  const placeCount = order.length;

  const groupOfRow = rows.place
    .subarray(0, rows.count)
    .map((place) => (place === 0 ? placeCount : rank[place]!));
  const ordered = orderByGroup(byNpi, groupOfRow, placeCount + 1);
  const places = describePlaces(
    draft,
    order,
    firstEntries,
    groupOfRow,
    ordered,
  );
  return {
    rows: ordered,
    docsByNpi: invert(byNpi, ordered, rows.count),
    places,
    loose: describeLoose(
      draft,
      cities,
      firstEntries,
      ordered.subarray(places.starts[placeCount]),
    ),
    cityCount: cities.numbers.length - 1,
    placeOfRow: (row) => groupOfRow[row]!,
  };
}

/** The rows by NPI, of several rows of one NPI only the last added. */
function lastRowPerNpi(npi: Uint32Array, count: number): Uint32Array {
  const order = orderByKey(npi, count);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (i + 1 < count && npi[order[i]!] === npi[order[i + 1]!]) continue;
    order[kept++] = order[i]!;
  }
  return order.subarray(0, kept);
}

/** Per compared city the first of its spellings' entries; 0 for a row without a city. */
function firstEntryPerComparedCity(
  draft: SnapshotDraft,
  cities: DictionaryDraft,
): Uint32Array {
  const compared = new Uint32Array(draft.cities.size).map((_, city) =>
    draft.comparedCity(city),
  );
  const first = new Uint32Array(draft.comparedCities.size);
  for (let city = 1; city < compared.length; city++) {
    const number = compared[city]!;
    const entry = cities.numbers[city]!;
    if (number !== 0 && (first[number] === 0 || entry < first[number]!))
      first[number] = entry;
  }
  return first;
}

/** The draft's places in order, and per place of the draft its rank. */
function sortPlaces(
  draft: SnapshotDraft,
  firstEntries: Uint32Array,
): { order: Uint32Array; rank: Uint32Array } {
  const count = draft.places.size - 1;
  const states = new Uint32Array(count);
  const entries = new Uint32Array(count);
  const zips = new Uint32Array(count);
  for (let index = 0; index < count; index++) {
    const { state, compared, zip } = decodePlace(draft, index + 1);
    states[index] = state;
    entries[index] = firstEntries[compared]!;
    zips[index] = zip;
  }
  const order = orderByKey(zips, count);
  const byCity = reorder(order, entries);
  const byState = reorder(byCity, states);
  const rank = new Uint32Array(count + 1);
  byState.forEach((index, place) => (rank[index + 1] = place));
  return { order: byState.map((index) => index + 1), rank };
}

/** `order`, stably sorted by the keys of its items. */
function reorder(order: Uint32Array, keys: Uint32Array): Uint32Array {
  const sorted = orderByKey(
    order.map((item) => keys[item]!),
    order.length,
  );
  return sorted.map((index) => order[index]!);
}

function describePlaces(
  draft: SnapshotDraft,
  order: Uint32Array,
  firstEntries: Uint32Array,
  groupOfRow: Uint32Array,
  rows: Uint32Array,
): Layout["places"] {
  const state = new Uint8Array(order.length);
  const city = new Uint32Array(order.length);
  const zip = new Uint32Array(order.length);
  order.forEach((draftPlace, place) => {
    const key = decodePlace(draft, draftPlace);
    state[place] = key.state;
    city[place] = firstEntries[key.compared]!;
    zip[place] = key.zip;
  });
  const starts = new Uint32Array(order.length + 1);
  for (const row of rows) {
    const place = groupOfRow[row]!;
    if (place < order.length) starts[place + 1]!++;
  }
  for (let place = 0; place < order.length; place++)
    starts[place + 1]! += starts[place]!;
  return { state, city, zip, starts };
}

function describeLoose(
  draft: SnapshotDraft,
  cities: DictionaryDraft,
  firstEntries: Uint32Array,
  rows: Uint32Array,
): Layout["loose"] {
  return {
    city: rows.map((row) => cities.numbers[draft.rows.city[row]!]!),
    comparedCity: rows.map(
      (row) => firstEntries[draft.comparedCity(draft.rows.city[row]!)]!,
    ),
    zip: rows.map((row) => draft.rows.zip[row]!),
  };
}

function invert(
  byNpi: Uint32Array,
  ordered: Uint32Array,
  rowCount: number,
): Uint32Array {
  const docOfRow = new Uint32Array(rowCount);
  ordered.forEach((row, doc) => (docOfRow[row] = doc));
  return byNpi.map((row) => docOfRow[row]!);
}

function decodePlace(
  draft: SnapshotDraft,
  place: number,
): { state: number; compared: number; zip: number } {
  const { arena, offsets } = draft.places;
  const key = new DataView(arena.buffer, offsets[place], PLACE_KEY_BYTES);
  return {
    state: key.getUint8(0),
    compared: key.getUint32(1, true),
    zip: key.getUint32(5, true),
  };
}
