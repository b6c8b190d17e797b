import {
  groupStarts,
  orderByGroup,
  orderByKey,
  sortedBy,
} from "../bytes/radix-sort.ts";
import { release } from "../bytes/once.ts";
import { NO_STATE } from "../../contract/states.ts";
import type { BaseSnapshot } from "../base-snapshot.ts";
import type { Dictionary } from "../dictionary/dictionary.ts";
import type { MergedDictionary } from "../dictionary/merged-dictionary.ts";
import { Entry, type SnapshotDraft } from "./draft.ts";
import type { UnplacedColumns, PlaceColumns } from "../places/places.ts";

type Rows = SnapshotDraft["rows"];

/** The order of a snapshot's documents, and their places. */
export interface Layout {
  /** Address of the entry of each document from a row. */
  entries: Uint32Array;
  /** The base that the rows are merged into, if there is one. */
  merged: MergedDocs | null;
  places: PlaceColumns;
  unplaced: UnplacedColumns;
  /** Per place of the draft: its city spelling's number minus that of the city's first spelling; 0 without a state. */
  citySpellings: Uint32Array;
}

/** The documents of a base merged with rows, by their sources: the base, and the entries of the layout. */
export interface MergedDocs {
  base: BaseSnapshot;
  runs: DocRuns;
}

/** New numbers of the base's cities. */
export interface CityNumbers {
  /** New number by old number. */
  fromBase: Uint32Array;
  /** By new number, the first entry with the same compared city. */
  first: Uint32Array;
}

/** Places and documents of a file without a base. */
const NO_BASE = {
  count: 0,
  places: {
    state: new Uint8Array(0),
    city: new Uint32Array(0),
    zip: new Uint32Array(0),
    starts: new Uint32Array(1),
    placedDocs: 0,
    unplacedCity: new Uint32Array(0),
    unplacedZip: new Uint32Array(0),
  },
};

/**
 * Sorts the base's documents and the rows into document order: state, compared city, ZIP, NPI; then those without a
 * known state, by NPI. A row replaces the base's document with the same NPI. Below, documents of the base and rows have
 * one numbering, the base's first.
 */
export function layOut(
  draft: SnapshotDraft,
  base: BaseSnapshot | null,
  cities: MergedDictionary,
  { first, fromBase }: CityNumbers,
): Layout {
  const { rows } = draft;
  const { count: baseCount, places: before } = base ?? NO_BASE;
  const byNpi = base === null ? rows.byNpi().last : mergedByNpi(base, rows);
  const spelled = draft.places.columns();
  const city = spelled.city.map((id) => cities.numbers[id]!);
  const comparedCity = city.map((entry) => first[entry]!);
  const cityBefore = before.city.map((entry) => first[fromBase[entry]!]!);
  const { groups, ...places } = groupPlaces({
    state: Uint8Array.from([...before.state, ...spelled.state]),
    city: Uint32Array.from([...cityBefore, ...comparedCity]),
    zip: Uint32Array.from([...before.zip, ...spelled.zip]),
  });

  const placeCount = places.state.length;
  const placeOfRow = rows.column(Entry.place);
  const groupOf = new Uint32Array(baseCount + rows.count).fill(placeCount);
  before.state.forEach((_, place) => {
    const { starts } = before;
    groupOf.fill(groups[place]!, starts[place], starts[place + 1]);
  });
  for (let row = 0; row < placeOfRow.length; row++)
    groupOf[baseCount + row] = groups[before.state.length + placeOfRow[row]!]!;
  const starts = groupStarts(byNpi, groupOf, placeCount + 1);
  const ordered = orderByGroup(byNpi, groupOf, starts);
  release(byNpi, groupOf);

  const unplaced = ordered.subarray(starts.at(-2));
  const valuesOf = (
    valuesBefore: Uint32Array,
    values: Uint32Array,
  ): Uint32Array =>
    unplaced.map((doc) =>
      doc < baseCount
        ? valuesBefore[doc - before.placedDocs]!
        : values[placeOfRow[doc - baseCount]!]!,
    );
  const unplacedCity = before.unplacedCity.map((entry) => fromBase[entry]!);
  const layout = {
    places: { ...places, starts: starts.subarray(0, -1) },
    unplaced: {
      city: valuesOf(unplacedCity, city),
      zip: valuesOf(before.unplacedZip, spelled.zip),
    },
    citySpellings: city.map((entry, place) =>
      spelled.state[place] === NO_STATE ? 0 : entry - comparedCity[place]!,
    ),
  };
  release(placeOfRow);
  return base === null
    ? { ...layout, merged: null, entries: rows.toAddresses(ordered) }
    : { ...layout, ...split(base, rows, ordered) };
}

/** Merges the base's documents and the rows in ascending order of NPI, without those that a later row replaces. */
function mergedByNpi(
  { count, npi, npiIndex }: BaseSnapshot,
  rows: Rows,
): Uint32Array {
  const { order } = npiIndex;
  const npis = rows.column(Entry.npi);
  const { last } = rows.byNpi();
  const merged = new Uint32Array(count + last.length);
  let from = 0;
  let to = 0;
  const copyUpTo = (rank: number): void => {
    merged.set(order.subarray(from, rank), to);
    to += rank - from;
    from = rank;
  };
  for (const row of last) {
    copyUpTo(npiIndex.firstFrom(npis[row]!));
    merged[to++] = count + row;
    if (npi[order[from]!] === npis[row]) from++;
  }
  copyUpTo(count);
  return merged.subarray(0, to);
}

/** Numbers the rows by their places among each other. Frees the order. */
function split(
  base: BaseSnapshot,
  rows: Rows,
  ordered: Uint32Array,
): Pick<Layout, "entries" | "merged"> {
  const laidOut = new Uint32Array(rows.count);
  let next = 0;
  for (let doc = 0; doc < ordered.length; doc++) {
    if (ordered[doc]! < base.count) continue;
    laidOut[next] = ordered[doc]! - base.count;
    ordered[doc] = base.count + next++;
  }
  const runs = new DocRuns(base.count, ordered);
  release(ordered);
  return {
    entries: rows.toAddresses(laidOut.subarray(0, next)),
    merged: { base, runs },
  };
}

/** Finds the first entry with the same compared city for each city entry; 0 if folding leaves nothing. */
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
 * Finds the distinct places among the keys, in order, and the place of each key; for a key without a state, the number
 * of places.
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

/**
 * The documents of a merged snapshot as runs that follow each other in their source, too. Sources are the base's
 * documents, and, from `baseCount` on, rows by their index in the layout. A week splits millions of documents into less
 * than a hundred thousand runs, so what belongs to unchanged documents is copied run by run.
 */
export class DocRuns {
  readonly baseCount: number;
  /** The number of documents. */
  readonly count: number;
  /** The first source of each run, and its first document. */
  readonly #sources: number[] = [];
  readonly #docs: number[] = [];

  /** Finds the runs. `sources` has the source of each document. */
  constructor(baseCount: number, sources: Uint32Array) {
    this.baseCount = baseCount;
    this.count = sources.length;
    for (let doc = 0; doc < sources.length; doc++) {
      const source = sources[doc]!;
      const follows = doc > 0 && source === sources[doc - 1]! + 1;
      if (follows && source !== baseCount) continue;
      this.#sources.push(source);
      this.#docs.push(doc);
    }
  }

  /** Calls `visit` with each run: its first source, its first document, and its length. */
  forEach(visit: (source: number, doc: number, length: number) => void): void {
    this.#sources.forEach((source, run) => {
      const doc = this.#docs[run]!;
      visit(source, doc, (this.#docs[run + 1] ?? this.count) - doc);
    });
  }

  /** Copies each document's value from its source into `target`. */
  copy<T extends Uint8Array | Uint16Array | Uint32Array>(
    target: T,
    base: T,
    rows: T,
  ): void {
    const { baseCount } = this;
    this.forEach((source, doc, length) => {
      const from = source < baseCount ? source : source - baseCount;
      const values = source < baseCount ? base : rows;
      target.set(values.subarray(from, from + length), doc);
    });
  }
}
