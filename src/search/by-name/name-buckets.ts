import { ones, type BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { NamedDocs } from "./namesakes.ts";
import { NamePart, type Window } from "./name-part.ts";

/** One word of a set in this many is looked at for an estimate. */
const SAMPLED = 16;

/** Documents around a page by name, and how many documents come before all of them. */
interface NearPage {
  readonly before: number;
  readonly parts: readonly [NamedDocs, NamedDocs];
}

/**
 * How many documents of a set each bucket of names has. A bucket has about as many names as there are buckets, of last
 * names or of organization names. So a page of millions of documents needs only the documents of a few buckets.
 */
export class NameBuckets {
  /** How many documents of the set have no name. */
  readonly nameless: number;
  readonly #snapshot: Snapshot;
  readonly #set: BitSet;
  readonly #people: NamePart;
  readonly #others: NamePart;

  /** The set has `total` members, and must not change. */
  constructor(snapshot: Snapshot, set: BitSet, total: number) {
    const { kinds, lastNames, name, nameDocs, organizations } = snapshot;
    const shift = halfOfBits(lastNames.count + organizations.count);
    const counts = new Uint32Array(
      ((lastNames.count + organizations.count) >>> shift) + 1,
    );
    // If the set has most individuals, or most others, the rest take less time to count.
    const { individuals } = kinds;
    const { areMost, areMostOthers } = sampled(set, individuals);
    countBuckets(counts, {
      set,
      individuals,
      flip: areMost ? -1 : 0,
      flipOthers: areMostOthers ? -1 : 0,
      name,
      shift,
    });
    const part = (
      names: typeof lastNames,
      base: number,
      isRest: boolean,
    ): NamePart =>
      new NamePart(nameDocs, set, { names, base, shift, counts, isRest });
    this.#people = part(lastNames, 0, areMost);
    this.#others = part(organizations, lastNames.count, areMostOthers);
    this.nameless = total - this.#people.total - this.#others.total;
    this.#snapshot = snapshot;
    this.#set = set;
  }

  /** The documents among which those at `offset` to `end` - 1 are. */
  around(offset: number, end: number): NearPage {
    const people = this.#people;
    const others = this.#others;
    const byPeople = windowsOf(people, others, offset, end);
    const byOthers = windowsOf(others, people, offset, end);
    const near = overlapOf(byPeople.own, byOthers.other);
    const nearOthers = overlapOf(byOthers.own, byPeople.other);
    return {
      before: people.before[near.from]! + others.before[nearOthers.from]!,
      parts: [people.docsIn(near), others.docsIn(nearOthers)],
    };
  }

  /** The documents without a name, ascending. */
  namelessDocs(): Uint32Array {
    const { name } = this.#snapshot;
    const { bits } = this.#set;
    const docs = new Uint32Array(this.nameless);
    let count = 0;
    for (let i = 0; i < bits.length; i++) {
      for (let rest = bits[i]!; rest !== 0; rest &= rest - 1) {
        const doc = (i << 5) + 31 - Math.clz32(rest & -rest);
        if (name[doc] === 0) docs[count++] = doc;
      }
    }
    return docs;
  }
}

/**
 * The buckets of two parts, without those whose documents all come before a page or all come after it, as far as the
 * starts of the first part's buckets tell.
 */
function windowsOf(
  own: NamePart,
  other: NamePart,
  offset: number,
  end: number,
): Record<"other" | "own", Window> {
  /** How many documents can have an earlier name than the first one of a bucket, at most and at least. */
  const most = (bucket: number): number => {
    const { inOther } = own.cutAt(bucket, other);
    return own.before[bucket]! + other.before[other.endBefore(inOther)]!;
  };
  const least = (bucket: number): number => {
    const { first, inOther } = own.cutAt(bucket, other);
    return (
      own.before[own.bucketOf(first)]! + other.before[other.bucketOf(inOther)]!
    );
  };
  const from = firstBucket(own.size, (bucket) => most(bucket) > offset) - 1;
  const to = firstBucket(own.size, (bucket) => least(bucket) >= end);
  const start = from === 0 ? null : own.cutAt(from, other);
  return {
    own: { from: start === null ? 0 : own.bucketOf(start.first), to },
    other: {
      from: start === null ? 0 : other.bucketOf(start.inOther),
      to:
        to === own.size
          ? other.size
          : other.endBefore(own.cutAt(to, other).inOther),
    },
  };
}

/** The first bucket from 1 on for which `holds` is true, as it is for all after it; `size` if there is none. */
function firstBucket(size: number, holds: (bucket: number) => boolean): number {
  let low = 1;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function overlapOf(one: Window, other: Window): Window {
  return {
    from: Math.max(one.from, other.from),
    to: Math.min(one.to, other.to),
  };
}

/** Whether a set seems to have most individuals, and most other documents, by some of its words. */
function sampled(
  set: BitSet,
  individuals: BitSet,
): { readonly areMost: boolean; readonly areMostOthers: boolean } {
  const { bits } = set;
  let all = 0;
  let found = 0;
  let others = 0;
  for (let i = 0; i < bits.length; i += SAMPLED) {
    const word = bits[i]!;
    const mask = individuals.bits[i]!;
    all += ones(mask);
    found += ones(word & mask);
    others += ones(word & ~mask);
  }
  const words = Math.ceil(bits.length / SAMPLED);
  return {
    areMost: found * 2 > all,
    areMostOthers: others * 2 > words * 32 - all,
  };
}

/** What is counted by bucket of names. */
interface Counted {
  readonly set: BitSet;
  readonly individuals: BitSet;
  /** 0 to count the individuals in the set, -1 to count those that are not. */
  readonly flip: number;
  /** The same for all other documents. */
  readonly flipOthers: number;
  /** The number of each document's name; 0, no name, counts too. */
  readonly name: Uint32Array;
  readonly shift: number;
}

/** Counts the documents of each bucket. */
function countBuckets(
  counts: Uint32Array,
  { flip, flipOthers, individuals, name, set, shift }: Counted,
): void {
  const { bits } = set;
  const ofIndividuals = individuals.bits;
  const words = (name.length + 31) >>> 5;
  const past = name.length & 31;
  for (let i = 0; i < words; i++) {
    const mask = ofIndividuals[i]!;
    let rest = (mask & (bits[i]! ^ flip)) | (~mask & (bits[i]! ^ flipOthers));
    if (past !== 0 && i === words - 1) rest &= (1 << past) - 1;
    for (; rest !== 0; rest &= rest - 1)
      counts[name[(i << 5) + 31 - Math.clz32(rest & -rest)]! >>> shift]!++;
  }
}

function halfOfBits(number: number): number {
  return (32 - Math.clz32(number)) >>> 1;
}
