import { sortByKey } from "../bytes/radix-sort.ts";
import { release } from "../bytes/once.ts";
import { SECTIONS } from "../container/descriptors.ts";
import type { ArraysOf } from "../container/section.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/**
 * The fewest low bits of an NPI that tell it from others of its bucket. For the whole registry, a bucket has about five
 * NPIs.
 */
const LEAST_BITS = 10;

/** Finds documents by NPI (FORMAT.md, "Documents and their order"). */
export class NpiIndex {
  /** The NPI of each document. */
  readonly npi: Uint32Array;
  /** Documents in ascending order of NPI. */
  readonly order: Uint32Array;
  readonly #buckets: Uint32Array;
  /** The bits of an NPI's place in its bucket. */
  readonly #bits: number;
  readonly #values: number;
  readonly #firstBucket: number;

  constructor({ buckets, npi, order }: ArraysOf<typeof SECTIONS.npis>) {
    this.npi = npi;
    this.order = order;
    this.#buckets = buckets;
    const first = npi[order[0] ?? 0] ?? 0;
    this.#bits = bitsFor(buckets.length, first, npi[order.at(-1) ?? 0] ?? 0);
    this.#values = 2 ** this.#bits;
    this.#firstBucket = first >>> this.#bits;
  }

  /** Finds the document of an NPI, or -1. */
  find(npi: number): number {
    const doc = this.order[this.firstFrom(npi)];
    return doc !== undefined && this.npi[doc] === npi ? doc : -1;
  }

  /**
   * Writes the documents of some NPIs into `docs`, without those that aren't there; returns how many. NPIs are far
   * apart in memory, so loading them together takes half as long as one after the other.
   */
  findAll(npis: Uint32Array, docs: Uint32Array): number {
    const { length } = npis;
    for (let i = 0; i < length; i++) docs[i] = this.#expectedAt(npis[i]!);
    for (let i = 0; i < length; i++) docs[i] = this.order[docs[i]!]!;
    for (let i = 0; i < length; i++) docs[i] = this.npi[docs[i]!]!;
    let found = 0;
    for (let i = 0; i < length; i++) {
      const doc = this.find(npis[i]!);
      if (doc >= 0) docs[found++] = doc;
    }
    return found;
  }

  /** Finds the index of an NPI among all in ascending order, or -1. */
  rank(npi: number): number {
    const rank = this.firstFrom(npi);
    const doc = this.order[rank];
    return doc !== undefined && this.npi[doc] === npi ? rank : -1;
  }

  /** Finds the index in `npi.order` of the first document with an NPI not less than this. */
  firstFrom(npi: number): number {
    const bucket = (npi >>> this.#bits) - this.#firstBucket;
    if (bucket < 0) return 0;
    if (bucket >= this.#buckets.length - 1) return this.order.length;
    const low = this.#buckets[bucket]!;
    const high = this.#buckets[bucket + 1]!;
    let at = this.#expectedIn(low, high, npi);
    while (at < high && this.npi[this.order[at]!]! < npi) at++;
    while (at > low && this.npi[this.order[at - 1]!]! >= npi) at--;
    return at;
  }

  /** Guesses an index near `firstFrom`. */
  #expectedAt(npi: number): number {
    const bucket = (npi >>> this.#bits) - this.#firstBucket;
    if (bucket < 0 || bucket >= this.#buckets.length - 1) return 0;
    const low = this.#buckets[bucket]!;
    return this.#expectedIn(low, this.#buckets[bucket + 1]!, npi);
  }

  /** Guesses an index in a bucket. NPIs are evenly distributed, so their place in the bucket predicts it. */
  #expectedIn(low: number, high: number, npi: number): number {
    const share = (npi & (this.#values - 1)) / this.#values;
    return low + Math.floor((high - low) * share);
  }
}

/** Writes the sections `npi`, `npi.order`, and `npi.buckets`. Returns the second. */
export function writeNpis(
  writer: SectionWriter,
  npi: Uint32Array,
): Uint32Array {
  const { keys, order } = sortByKey(npi, npi.length);
  const buckets = bucketsOf(keys);
  writer.writeGroup(SECTIONS.npis, { npi, order, buckets });
  release(keys);
  return order;
}

/**
 * Returns where each bucket of ascending NPIs starts. There are about as many buckets as NPIs at most, so those of a
 * small registry are small.
 */
function bucketsOf(npis: Uint32Array): Uint32Array {
  const first = npis[0];
  const last = npis.at(-1);
  if (first === undefined || last === undefined) return new Uint32Array(1);
  const bits = bitsFor(npis.length + 2, first, last);
  const firstBucket = first >>> bits;
  const buckets = new Uint32Array((last >>> bits) - firstBucket + 2);
  for (let at = 0; at < npis.length; at++)
    buckets[(npis[at]! >>> bits) - firstBucket + 1]!++;
  for (let bucket = 1; bucket < buckets.length; bucket++)
    buckets[bucket]! += buckets[bucket - 1]!;
  return buckets;
}

/** Finds the least bits with at most `most` buckets, the end of the last one included. */
function bitsFor(most: number, first: number, last: number): number {
  let bits = LEAST_BITS;
  while (bits < 31 && (last >>> bits) - (first >>> bits) + 2 > most) bits++;
  return bits;
}

/** Rows by NPI. Of several with the same one, the last counts. */
export interface RowsByNpi {
  /** The last row of each NPI, in ascending order of NPI. */
  readonly last: Uint32Array;
  /** All other rows. */
  readonly replaced: readonly number[];
}

/** Sorts the rows 0 to `count` - 1 by their NPIs. */
export function rowsByNpi(npis: Uint32Array, count: number): RowsByNpi {
  const { keys, order } = sortByKey(npis, count);
  const replaced: number[] = [];
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const row = order[i]!;
    if (i + 1 === count || keys[i + 1] !== keys[i]) order[kept++] = row;
    else replaced.push(row);
  }
  release(keys);
  return { last: order.subarray(0, kept), replaced };
}
