import { isMilitary } from "../../contract/states.ts";
import type { BitSet } from "../bytes/bitset.ts";
import { groupItems, itemsOf } from "../postings/postings.ts";
import type { Centroids } from "./centroids.ts";
import type { Places } from "./places.ts";

/**
 * The places of the documents of each ZIP: range `r` has the documents `from[r]` to `to[r] - 1`, in ascending order of
 * NPI, and the ranges of ZIP `index` are `starts[index]` to `starts[index + 1] - 1`.
 */
export interface ZipRanges {
  readonly starts: Uint32Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

/** ZIPs have five digits. */
const ZIPS = 100_000;

/**
 * Documents by the ZIP of their primary location. ZIPs are indexes into the centroids; documents without a ZIP that has
 * a centroid, or with a military address, which is not a location in the U.S., have none.
 */
export class LocatedZips {
  /** The number of centroids. */
  readonly size: number;
  readonly #zips: Uint32Array;
  readonly #places: Places;
  /** The index of each ZIP, by number; -1 for none. */
  readonly #indexOfZip = new Int32Array(ZIPS).fill(-1);
  /** The index of each place; -1 for none. */
  readonly #indexOfPlace: Int32Array;
  /** The unplaced documents with a centroid, ascending, and their indexes. */
  readonly #unplaced: Uint32Array;
  readonly #indexOfUnplaced: Int32Array;
  #ranges: ZipRanges | undefined;

  constructor({ zips }: Centroids, places: Places) {
    const { count, placedDocs, state, unplacedZip, zip } = places;
    this.size = zips.length;
    this.#zips = zips;
    this.#places = places;
    zips.forEach((each, index) => {
      this.#indexOfZip[each] = index;
    });
    this.#indexOfPlace = new Int32Array(count).map((_, place) =>
      isMilitary(state[place]!) ? -1 : this.indexOf(zip[place]! - 1),
    );
    const isLocated = (at: number): boolean =>
      this.indexOf(unplacedZip[at]! - 1) >= 0;
    const unplaced = Uint32Array.from(unplacedZip.keys()).filter(isLocated);
    this.#indexOfUnplaced = Int32Array.from(unplaced, (at) =>
      this.indexOf(unplacedZip[at]! - 1),
    );
    this.#unplaced = unplaced.map((at) => placedDocs + at);
  }

  /** Returns the index of a ZIP, or -1. */
  indexOf(zip: number): number {
    return this.#indexOfZip[zip] ?? -1;
  }

  /** Returns values by the ZIPs' numbers instead of their indexes; `none` for all other numbers. */
  byNumber(values: Float64Array, none: number): Float64Array {
    const all = new Float64Array(ZIPS).fill(none);
    for (let index = 0; index < values.length; index++)
      all[this.#zips[index]!] = values[index]!;
    return all;
  }

  /** The places of the documents of each ZIP. */
  get ranges(): ZipRanges {
    return (this.#ranges ??= this.#listRanges());
  }

  /** Counts a set's documents by ZIP. */
  count(set: BitSet): Uint32Array {
    const { starts } = this.#places;
    const counts = new Uint32Array(this.size);
    this.#indexOfPlace.forEach((index, place) => {
      if (index >= 0)
        counts[index]! += set.count(starts[place]!, starts[place + 1]!);
    });
    this.#indexOfUnplaced.forEach((index, at) => {
      if (set.has(this.#unplaced[at]!)) counts[index]!++;
    });
    return counts;
  }

  /** Makes a function that finds the index of a document's ZIP, or -1. Call it with ascending documents. */
  ascending(): (doc: number) => number {
    const { placedDocs, starts } = this.#places;
    let place = 0;
    let unplaced = 0;
    return (doc) => {
      if (doc < placedDocs) {
        while (starts[place + 1]! <= doc) place++;
        return this.#indexOfPlace[place]!;
      }
      while (this.#unplaced[unplaced]! < doc) unplaced++;
      return this.#unplaced[unplaced] === doc
        ? this.#indexOfUnplaced[unplaced]!
        : -1;
    };
  }

  #listRanges(): ZipRanges {
    const places = groupItems(numbered(this.#indexOfPlace), this.size);
    const unplaced = groupItems(numbered(this.#indexOfUnplaced), this.size);
    const starts = new Uint32Array(this.size + 1);
    const from = new Uint32Array(places.items.length + unplaced.items.length);
    const to = new Uint32Array(from.length);
    const docsOfPlace = this.#places.starts;
    let count = 0;
    for (let index = 0; index < this.size; index++) {
      starts[index] = count;
      for (const place of itemsOf(places, index + 1)) {
        from[count] = docsOfPlace[place]!;
        to[count++] = docsOfPlace[place + 1]!;
      }
      for (const at of itemsOf(unplaced, index + 1)) {
        from[count] = this.#unplaced[at]!;
        to[count++] = this.#unplaced[at]! + 1;
      }
    }
    starts[this.size] = count;
    return { starts, from, to };
  }
}

/** Indexes as numbers from 1, with 0 for none. */
function numbered(indexes: Int32Array): Uint32Array {
  return Uint32Array.from(indexes, (index) => index + 1);
}
