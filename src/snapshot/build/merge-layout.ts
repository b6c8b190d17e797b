import type { BaseSnapshot } from "../base-snapshot.ts";
import type { Layout } from "./layout.ts";
import { DocRuns } from "../postings/doc-runs.ts";
import { BitSet } from "../bytes/bitset.ts";
import type {
  UnplacedColumns,
  PlaceColumns,
} from "../places/place-sections.ts";
import { lowerBound } from "../bytes/sorted.ts";

/** The order of a snapshot's documents after rows, in the order of their layout, were merged into a base. */
export interface MergeLayout {
  base: BaseSnapshot;
  /** The documents by their sources: the base, and the rows. */
  runs: DocRuns;
  places: PlaceColumns;
  unplaced: UnplacedColumns;
}

/** New numbers of the base's cities. */
export interface CityNumbers {
  /** New number by old number. */
  fromBase: Uint32Array;
  /** By new number, the first entry with the same compared city. */
  first: Uint32Array;
}

/**
 * Merges rows, laid out with the new city numbers, into the base's documents. A row replaces the base's document with
 * the same NPI. `npi` has the rows' NPIs in layout order.
 */
export function mergeLayouts(
  base: BaseSnapshot,
  rows: Layout,
  npi: Uint32Array,
  cities: CityNumbers,
): MergeLayout {
  const found = new Uint32Array(npi.length);
  const replaced = found.subarray(0, base.npiIndex.findAll(npi, found)).sort();
  const { insertBefore, places } = mergePlaces(
    base,
    rows,
    npi,
    cities,
    BitSet.of(base.count, replaced),
  );

  const runs = new DocRuns(base.count);
  let next = 0;
  let gone = 0;
  const copyUpTo = (end: number): void => {
    for (; gone < replaced.length && replaced[gone]! < end; gone++) {
      runs.add(next, replaced[gone]!);
      next = replaced[gone]! + 1;
    }
    runs.add(next, end);
    next = end;
  };
  for (let row = 0; row < npi.length; row++) {
    copyUpTo(insertBefore[row]!);
    runs.add(base.count + row, base.count + row + 1);
  }
  copyUpTo(base.count);
  return {
    base,
    runs,
    places,
    unplaced: mergeUnplaced(
      base,
      rows,
      runs,
      places.starts.at(-1)!,
      cities.fromBase,
    ),
  };
}

/** The places of both, in order, and per row the base document that it precedes. */
function mergePlaces(
  base: BaseSnapshot,
  rows: Layout,
  npi: Uint32Array,
  cities: CityNumbers,
  replaced: BitSet,
): { insertBefore: Uint32Array; places: PlaceColumns } {
  const old = base.places;
  const added = rows.places;
  const oldCity = old.city.map((city) => cities.first[cities.fromBase[city]!]!);
  const addedCount = added.state.length;
  const state = new Uint8Array(old.count + addedCount);
  const city = new Uint32Array(old.count + addedCount);
  const zip = new Uint32Array(old.count + addedCount);
  const starts = new Uint32Array(old.count + addedCount + 1);
  const insertBefore = new Uint32Array(npi.length);
  let count = 0;
  let o = 0;
  let a = 0;
  while (o < old.count || a < addedCount) {
    const order =
      o === old.count
        ? 1
        : a === addedCount
          ? -1
          : old.state[o]! - added.state[a]! ||
            oldCity[o]! - added.city[a]! ||
            old.zip[o]! - added.zip[a]!;
    const isOld = order <= 0;
    state[count] = isOld ? old.state[o]! : added.state[a]!;
    city[count] = isOld ? oldCity[o]! : added.city[a]!;
    zip[count] = isOld ? old.zip[o]! : added.zip[a]!;
    const from = old.starts[o]!;
    const to = isOld ? old.starts[o + 1]! : from;
    let docs = to - from;
    for (let doc = from; doc < to; doc++) if (replaced.has(doc)) docs--;
    if (order >= 0) {
      for (let row = added.starts[a]!; row < added.starts[a + 1]!; row++) {
        insertBefore[row] = lowerBound(base.npi, npi[row]!, from, to);
        docs++;
      }
      a++;
    }
    if (isOld) o++;
    starts[count + 1] = starts[count]! + docs;
    count++;
  }
  for (let row = added.starts[addedCount]!; row < npi.length; row++)
    insertBefore[row] = lowerBound(
      base.npi,
      npi[row]!,
      old.placedDocs,
      base.count,
    );
  return {
    insertBefore,
    places: {
      state: state.subarray(0, count),
      city: city.subarray(0, count),
      zip: zip.subarray(0, count),
      starts: starts.subarray(0, count + 1),
    },
  };
}

function mergeUnplaced(
  base: BaseSnapshot,
  rows: Layout,
  runs: DocRuns,
  placed: number,
  fromBase: Uint32Array,
): UnplacedColumns {
  const { unplacedCity, unplacedZip, placedDocs } = base.places;
  const unplaced = runs.sourcesFrom(placed);
  const rowsPlaced = rows.places.starts.at(-1)!;
  return {
    city: unplaced.map((source) =>
      source < base.count
        ? fromBase[unplacedCity[source - placedDocs]!]!
        : rows.unplaced.city[source - base.count - rowsPlaced]!,
    ),
    zip: unplaced.map((source) =>
      source < base.count
        ? unplacedZip[source - placedDocs]!
        : rows.unplaced.zip[source - base.count - rowsPlaced]!,
    ),
  };
}
