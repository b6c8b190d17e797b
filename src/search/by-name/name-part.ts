import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Dictionary } from "../../snapshot/dictionary/dictionary.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import { MembersByName } from "./members-by-name.ts";
import { cutAt, type NameCut, type NamedDocs } from "./namesakes.ts";

/** Buckets `from` to `to` - 1. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

interface Numbering {
  readonly names: Dictionary;
  /** An entry's number in the column of names is `base` more. */
  readonly base: number;
  /** A number's bucket is the number without this many of its last bits. */
  readonly shift: number;
  /** How many documents of the set are in each bucket of numbers, or how many of the rest. */
  readonly counts: Uint32Array;
  /** Whether this part's `counts` are of the rest. */
  readonly isRest: boolean;
}

/** Last names, or organization names, in buckets of successive entries. The part's first bucket is bucket 0. */
export class NamePart {
  readonly names: Dictionary;
  /** The number of buckets. */
  readonly size: number;
  /** How many documents of the set are in the buckets before each one, and in all. */
  readonly before: Uint32Array;
  readonly #base: number;
  readonly #shift: number;
  /** The bucket of numbers that is bucket 0 here. */
  readonly #first: number;
  readonly #nameDocs: Postings;
  readonly #set: BitSet;

  constructor(
    nameDocs: Postings,
    set: BitSet,
    { base, counts, isRest, names, shift }: Numbering,
  ) {
    this.names = names;
    this.#base = base;
    this.#shift = shift;
    this.#first = (base + 1) >>> shift;
    this.#nameDocs = nameDocs;
    this.#set = set;
    this.size = Math.max(1, this.bucketOf(names.count) + 1);
    this.before = new Uint32Array(this.size + 1);
    const { starts } = nameDocs;
    for (let bucket = 0; bucket < this.size; bucket++) {
      const from = this.#numberAt(bucket);
      const to = this.#numberAt(bucket + 1);
      const counted = counts[this.#first + bucket]!;
      // The first and the last bucket can have numbers of the other part, or number 0.
      const own =
        to - from < 1 << shift
          ? this.#membersOf(from, to)
          : isRest
            ? starts[to]! - starts[from]! - counted
            : counted;
      this.before[bucket + 1] = this.before[bucket]! + own;
    }
  }

  /** How many documents of the set are in this part. */
  get total(): number {
    return this.before[this.size]!;
  }

  bucketOf(entry: number): number {
    return ((this.#base + entry) >>> this.#shift) - this.#first;
  }

  /** The end of the buckets with all entries before this one. */
  endBefore(entry: number): number {
    return entry <= 1 ? 0 : this.bucketOf(entry - 1) + 1;
  }

  /** The first entry with the name of a bucket's first one, and the first entry of the other part not before it. */
  cutAt(bucket: number, { names: others }: NamePart): NameCut {
    return cutAt(this.names, this.#numberAt(bucket) - this.#base, others);
  }

  /** The documents of the set in some buckets. */
  docsIn({ from, to }: Window): NamedDocs {
    const { before, names } = this;
    const most = from < to ? before[to]! - before[from]! : 0;
    const members = new MembersByName(
      this.#nameDocs,
      this.#set,
      names,
      this.#base,
      most,
    );
    for (let bucket = from; bucket < to; bucket++)
      if (before[bucket] !== before[bucket + 1])
        members.add(this.#numberAt(bucket), this.#numberAt(bucket + 1));
    return members.found;
  }

  /** The number of the set's documents with the numbers `from` to `to` - 1. */
  #membersOf(from: number, to: number): number {
    const { items, starts } = this.#nameDocs;
    let count = 0;
    for (let at = starts[from]!; at < starts[to]!; at++)
      if (this.#set.has(items[at]!)) count++;
    return count;
  }

  /** The first number of a bucket, as far as it belongs to this part. */
  #numberAt(bucket: number): number {
    const { count } = this.names;
    const number = (this.#first + bucket) << this.#shift;
    return Math.min(Math.max(number, this.#base + 1), this.#base + count + 1);
  }
}
