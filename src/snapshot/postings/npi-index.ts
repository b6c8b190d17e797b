import type { ArraysOf, SECTIONS } from "../container/descriptors.ts";

/** Buckets for NPI lookups have this many bits: about ten NPIs each for the whole registry. */
export const NPI_BUCKET_BITS = 10;
const BUCKET_VALUES = 1 << NPI_BUCKET_BITS;

/** Finds documents by NPI (FORMAT.md, "Documents and their order"). */
export class NpiIndex {
  /** The NPI of each document. */
  readonly npi: Uint32Array;
  /** Documents in ascending order of NPI. */
  readonly order: Uint32Array;
  readonly #buckets: Uint32Array;
  readonly #firstBucket: number;

  constructor({ buckets, npi, order }: ArraysOf<typeof SECTIONS.npis>) {
    this.npi = npi;
    this.order = order;
    this.#buckets = buckets;
    this.#firstBucket =
      npi.length === 0 ? 0 : npi[order[0]!]! >>> NPI_BUCKET_BITS;
  }

  /** The document of an NPI, or -1. */
  find(npi: number): number {
    const doc = this.order[this.firstFrom(npi)];
    return doc !== undefined && this.npi[doc] === npi ? doc : -1;
  }

  /** The index of an NPI among all in ascending order, or -1. */
  rank(npi: number): number {
    const rank = this.firstFrom(npi);
    const doc = this.order[rank];
    return doc !== undefined && this.npi[doc] === npi ? rank : -1;
  }

  /** The index in `npi.order` of the first document with an NPI not less than this. */
  firstFrom(npi: number): number {
    const bucket = (npi >>> NPI_BUCKET_BITS) - this.#firstBucket;
    if (bucket < 0) return 0;
    if (bucket >= this.#buckets.length - 1) return this.order.length;
    const low = this.#buckets[bucket]!;
    const high = this.#buckets[bucket + 1]!;
    // NPIs are evenly distributed, so their value in the bucket predicts their index in it.
    const share = (npi & (BUCKET_VALUES - 1)) / BUCKET_VALUES;
    let at = low + Math.floor((high - low) * share);
    while (at < high && this.npi[this.order[at]!]! < npi) at++;
    while (at > low && this.npi[this.order[at - 1]!]! >= npi) at--;
    return at;
  }
}

/** The section `npi.buckets`. */
export function npiBuckets(
  npi: Uint32Array,
  docsByNpi: Uint32Array,
): Uint32Array {
  const first = docsByNpi[0];
  const last = docsByNpi.at(-1);
  if (first === undefined || last === undefined) return new Uint32Array(1);
  const firstBucket = npi[first]! >>> NPI_BUCKET_BITS;
  const buckets = new Uint32Array(
    (npi[last]! >>> NPI_BUCKET_BITS) - firstBucket + 2,
  );
  for (let doc = 0; doc < npi.length; doc++)
    buckets[(npi[doc]! >>> NPI_BUCKET_BITS) - firstBucket + 1]!++;
  for (let bucket = 1; bucket < buckets.length; bucket++)
    buckets[bucket]! += buckets[bucket - 1]!;
  return buckets;
}
