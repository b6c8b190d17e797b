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
    const { count, kinds, lastNames, name, nameDocs, organizations } = snapshot;
    const shift = halfOfBits(lastNames.count + organizations.count);
    // If the set has most individuals, or most others, the rest take less time to count.
    const { individuals } = kinds;
    const { areMost, areMostOthers } = sampled(set, individuals);
    const counted =
      areMost || areMostOthers
        ? flipped(set, individuals, areMost, areMostOthers, count)
        : set.bits;
    const counts = countBuckets(
      counted,
      name,
      shift,
      (lastNames.count + organizations.count) >>> shift,
    );
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

/** The numbers below `count` that are in a set, or that are not: of individuals, of others, or of both. */
function flipped(
  { bits }: BitSet,
  individuals: BitSet,
  areMost: boolean,
  areMostOthers: boolean,
  count: number,
): Uint32Array {
  const flip = areMost ? -1 : 0;
  const flipOthers = areMostOthers ? -1 : 0;
  const ofIndividuals = individuals.bits;
  const numbers = new Uint32Array(bits.length);
  for (let i = 0; i < bits.length; i++) {
    const mask = ofIndividuals[i]!;
    numbers[i] = bits[i]! ^ ((mask & flip) | (~mask & flipOthers));
  }
  if ((count & 31) !== 0)
    numbers[numbers.length - 1]! &= (1 << (count & 31)) - 1;
  return numbers;
}

/** The number of a set's documents in each bucket; the last bucket is `last`. Number 0, no name, counts too. */
function countBuckets(
  bits: Uint32Array,
  numbers: Uint32Array,
  shift: number,
  last: number,
): Uint32Array {
  const counts = new Uint32Array(last + 1);
  for (let i = 0; i < bits.length; i++)
    for (let rest = bits[i]!; rest !== 0; rest &= rest - 1)
      counts[numbers[(i << 5) + 31 - Math.clz32(rest & -rest)]! >>> shift]!++;
  return counts;
}

function halfOfBits(number: number): number {
  return (32 - Math.clz32(number)) >>> 1;
}
