import { ones, wordsFor, type BitSet } from "../../snapshot/bytes/bitset.ts";
import { lowerBound } from "../../snapshot/bytes/sorted.ts";
import type { Dictionary } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { compareEntries } from "./namesakes.ts";

/** About how many documents of a set are sampled. */
const SAMPLED = 1024;
/** At least this many words of a large set are read for them. */
const WORDS_READ = 4096;
/** If less than this share of them have a name, more are sampled, as if at least the least share had one. */
const FEW_NAMED = 1 / 4;
const LEAST_NAMED = 1 / 16;

/** Where a name divides the numbers of the column of names: the first two that aren't before it. */
export interface NameCut {
  readonly lastName: number;
  readonly organization: number;
}

/**
 * Cuts at the names of documents sampled from a set, ascending, so the set has about as many documents between any two
 * successive cuts. Cut 0 is before all names, and cut `last` after all.
 */
export class NameCuts {
  readonly last: number;
  readonly #lastNames: Dictionary;
  readonly #organizations: Dictionary;
  /** The entries of sampled documents, ascending. */
  readonly #people: Uint32Array;
  readonly #others: Uint32Array;
  /** One document in this many was sampled. */
  readonly #step: number;
  readonly #cuts: NameCut[] = [];

  /** The set has `total` members. */
  constructor(snapshot: Snapshot, set: BitSet, total: number) {
    const { lastNames, organizations } = snapshot;
    let sample = sampled(snapshot, set, total);
    const named = sample.numbers.length / sample.size;
    if (named < FEW_NAMED)
      sample = sampled(snapshot, set, total * Math.max(named, LEAST_NAMED));
    const numbers = Uint32Array.from(sample.numbers).sort();
    const others = lowerBound(numbers, lastNames.count + 1);
    this.#lastNames = lastNames;
    this.#organizations = organizations;
    this.#people = numbers.subarray(0, others);
    this.#others = numbers
      .subarray(others)
      .map((number) => number - lastNames.count);
    this.#step = total / sample.size;
    this.last = numbers.length + 1;
  }

  /** The cut that about `offset` documents of the set come before. */
  near(offset: number): number {
    const index = Math.floor(offset / this.#step);
    return Math.max(0, Math.min(this.last, index));
  }

  at(index: number): NameCut {
    return (this.#cuts[index] ??= this.#find(index));
  }

  #find(index: number): NameCut {
    const lastNames = this.#lastNames;
    const organizations = this.#organizations;
    if (index === 0) return this.#cut(1, 1);
    if (index === this.last)
      return this.#cut(lastNames.count + 1, organizations.count + 1);
    const people = this.#people;
    const others = this.#others;
    const isPersonFirst = (person: number, other: number): boolean =>
      other === others.length ||
      (person < people.length &&
        compareEntries(
          lastNames,
          people[person]!,
          organizations,
          others[other]!,
        ) <= 0);
    // The name that index - 1 of those sampled come before. Of these, `low` to `high` are last names.
    const earlier = index - 1;
    let low = Math.max(0, earlier - others.length);
    let high = Math.min(people.length, earlier);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isPersonFirst(middle, earlier - 1 - middle)) low = middle + 1;
      else high = middle;
    }
    const person = people[low];
    const other = others[earlier - low];
    if (isPersonFirst(low, earlier - low)) {
      const { first, inOther } = divide(lastNames, person!, organizations);
      return this.#cut(first, inOther);
    }
    const { first, inOther } = divide(organizations, other!, lastNames);
    return this.#cut(inOther, first);
  }

  #cut(lastName: number, organization: number): NameCut {
    return { lastName, organization: this.#lastNames.count + organization };
  }
}

/** About `SAMPLED` members of a set: how many, and the numbers of their names, without those that have none. */
function sampled(
  { count, name }: Snapshot,
  { bits }: BitSet,
  total: number,
): { readonly size: number; readonly numbers: readonly number[] } {
  const words = wordsFor(count);
  const step = Math.max(
    1,
    Math.floor(Math.min(words / WORDS_READ, total / SAMPLED)),
  );
  /** One member in this many is taken, from the words that are read. */
  const share = Math.max(1, Math.floor(total / step / SAMPLED));
  const numbers: number[] = [];
  let size = 0;
  let skipped = 0;
  for (let i = 0; i < words; i += step) {
    let rest = bits[i]!;
    skipped += ones(rest);
    for (; skipped >= share; skipped -= share, rest &= rest - 1, size++) {
      const number = name[(i << 5) + 31 - Math.clz32(rest & -rest)]!;
      if (number !== 0) numbers.push(number);
    }
  }
  return { size, numbers };
}

/** The first entry with the name of one, and the first entry of the other dictionary that isn't before it. */
function divide(
  names: Dictionary,
  entry: number,
  others: Dictionary,
): { readonly first: number; readonly inOther: number } {
  let first = entry;
  while (first > 1 && names.isFoldedAlike(first - 1, first)) first--;
  const folded = names.bytes.subarray(
    names.offsets[entry],
    names.foldedEnd(entry),
  );
  return { first, inOther: others.firstEntryFrom(folded) };
}
