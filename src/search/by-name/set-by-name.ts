import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { NameBuckets } from "./name-buckets.ts";
import { NameCuts } from "./name-cuts.ts";
import type { NumberedDocs } from "./namesakes.ts";
import { countMembers, membersOf } from "./set-members.ts";

const UNKNOWN = -1;
/** A page has very likely ended this many cuts after the estimated one. */
const CUTS_AHEAD = 4;

/** Documents around a page by name, and how many documents of the set come before all of them. */
interface NearPage {
  readonly before: number;
  readonly docs: NumberedDocs;
}

/** The documents of a set by name. Only those around a page are sorted, and what comes before them is counted. */
export class SetByName {
  readonly #snapshot: Snapshot;
  readonly #set: BitSet;
  readonly #total: number;
  readonly #cuts: NameCuts;
  /** How many documents come before each cut, as far as known. */
  readonly #before: Int32Array;
  #buckets: NameBuckets | null = null;

  /** The set has `total` members, and must not change. */
  constructor(snapshot: Snapshot, set: BitSet, total: number) {
    this.#snapshot = snapshot;
    this.#set = set;
    this.#total = total;
    this.#cuts = new NameCuts(snapshot, set, total);
    this.#before = new Int32Array(this.#cuts.last + 1).fill(UNKNOWN, 1);
  }

  /** How many documents have a name; or simply all, without counting, if the first `end` certainly have one. */
  namedFor(end: number): number {
    const { count, nameDocs } = this.#snapshot;
    const nameless = count - nameDocs.items.length;
    if (end <= this.#total - nameless) return this.#total;
    const { last } = this.#cuts;
    const cut = Math.min(last, this.#cuts.near(end) + CUTS_AHEAD);
    return cut < last && this.#countBefore(cut) >= end
      ? this.#total
      : this.#countBefore(last);
  }

  /** The documents among which those at `offset` to `end` - 1 are. All of these have a name. */
  around(offset: number, end: number): NearPage {
    const near = this.#cuts.near(offset);
    // How much an estimate is off makes a better one.
    const better = this.#cuts.near(2 * offset - this.#countBefore(near));
    const from = this.#firstWith(better, (before) => before > offset) - 1;
    const to = this.#firstWith(from + 1, (before) => before >= end);
    const before = this.#countBefore(from);
    const most = this.#countBefore(to) - before;
    const { nameDocs } = this.#snapshot;
    const ranges = this.#occupied(from, to);
    const docs = membersOf(nameDocs, this.#set, ranges, most);
    return { before, docs };
  }

  /** The documents without a name, ascending. */
  namelessDocs(): Uint32Array {
    const { placedDocs } = this.#snapshot.places;
    const nameless = this.#total - this.#countBefore(this.#cuts.last);
    // Most have no place either.
    const unplaced = this.#namelessFrom(placedDocs >>> 5, nameless);
    return unplaced.length === nameless
      ? unplaced
      : this.#namelessFrom(0, nameless);
  }

  /** The documents without a name from a word of the set on, at most `most`. */
  #namelessFrom(word: number, most: number): Uint32Array {
    const { name } = this.#snapshot;
    const { bits } = this.#set;
    const docs = new Uint32Array(most + 1);
    let count = 0;
    for (let i = word; i < bits.length; i++) {
      for (let rest = bits[i]!; rest !== 0; rest &= rest - 1) {
        const doc = (i << 5) + 31 - Math.clz32(rest & -rest);
        docs[count] = doc;
        // Adds 1 for number 0, no name.
        count += (name[doc]! - 1) >>> 31;
      }
    }
    return docs.subarray(0, count);
  }

  /** The first cut for whose documents before it `holds` is true, as it is for all after it; looks near a cut first. */
  #firstWith(near: number, holds: (before: number) => boolean): number {
    const isTrue = (index: number): boolean => holds(this.#countBefore(index));
    const { last } = this.#cuts;
    let low = Math.min(near, last) - 1;
    let high = Math.min(near, last);
    for (let step = 1; low >= 0 && isTrue(low); step *= 2) {
      high = low;
      low -= step;
    }
    for (let step = 1; high < last && !isTrue(high); step *= 2) {
      low = high;
      high += step;
    }
    low = Math.max(low, -1);
    high = Math.min(high, last);
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (isTrue(middle)) high = middle;
      else low = middle;
    }
    return high;
  }

  /** How many documents come before a cut, from the nearest one that is known. */
  #countBefore(index: number): number {
    const before = this.#before;
    if (before[index] !== UNKNOWN) return before[index]!;
    let low = index;
    while (before[low] === UNKNOWN) low--;
    let high = index;
    while (before[high] === UNKNOWN) high++;
    const isLowNearer =
      high > this.#cuts.last ||
      this.#listed(low, index) <= this.#listed(index, high);
    return (before[index] = isLowNearer
      ? before[low]! + this.#count(low, index)
      : before[high]! - this.#count(index, high));
  }

  /** How many documents of the set have names between two cuts. */
  #count(from: number, to: number): number {
    const { nameDocs } = this.#snapshot;
    const ranges = this.#between(from, to);
    const listed = this.#listed(from, to);
    const isInBuckets =
      (this.#buckets !== null || this.#areMany(listed)) &&
      this.#bucketsOfSet().cost < listed;
    return ranges.reduce(
      (sum, range) =>
        sum +
        (isInBuckets
          ? this.#bucketsOfSet().count(range)
          : countMembers(nameDocs, this.#set, range)),
      0,
    );
  }

  /** The numbers of names between two cuts. Of many, only those in buckets that documents of the set are in. */
  #occupied(from: number, to: number): readonly NumberRange[] {
    const ranges = this.#between(from, to);
    return this.#areMany(this.#listed(from, to))
      ? ranges.flatMap((range) => this.#bucketsOfSet().occupied(range))
      : ranges;
  }

  /** Whether looking up this many documents of lists in the set may take longer than counting it in buckets. */
  #areMany(listed: number): boolean {
    return listed >= this.#set.bits.length;
  }

  #bucketsOfSet(): NameBuckets {
    return (this.#buckets ??= new NameBuckets(this.#snapshot, this.#set));
  }

  /** How many documents have names between two cuts, in the set or not. */
  #listed(from: number, to: number): number {
    const { starts } = this.#snapshot.nameDocs;
    return this.#between(from, to).reduce(
      (sum, range) => sum + starts[range.to]! - starts[range.from]!,
      0,
    );
  }

  /** The numbers of names between two cuts: of last names, and of organization names. */
  #between(from: number, to: number): readonly NumberRange[] {
    const first = this.#cuts.at(from);
    const end = this.#cuts.at(to);
    return [
      { from: first.lastName, to: end.lastName },
      { from: first.organization, to: end.organization },
    ];
  }
}
