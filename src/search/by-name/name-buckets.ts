import { BitSet, ones } from "../../snapshot/bytes/bitset.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { countMembers } from "./set-members.ts";

/** One word of a set in this many is looked at for an estimate. */
const SAMPLED = 16;
/** Reading the names of a word's documents takes as long as looking up this many documents of a list in the set. */
const WORD_COST = 8;
/** If fewer than one document in this many is counted, a list of them is made first. */
const SPARSE = 32;
/** A bucket has the numbers that differ only in this many of their last bits. */
const SHIFT = 9;
/** What counting in a range takes when the buckets are counted. */
const RANGE_COST = 4 << SHIFT;

/** How many documents of a set have a name of a bucket: of successive numbers in the column of names. */
export class NameBuckets {
  readonly #snapshot: Snapshot;
  readonly #set: BitSet;
  /** All bits if most individuals are in the set, so those that aren't are counted; otherwise 0. */
  readonly #flip: number;
  /** The same of all other documents. */
  readonly #flipOthers: number;
  readonly #firstCost: number;
  /** How many documents the first count reads, estimated. */
  readonly #readCount: number;
  /** How many documents are counted in the buckets before each one, and in all. */
  #before: Uint32Array | null = null;

  constructor(snapshot: Snapshot, set: BitSet) {
    this.#snapshot = snapshot;
    this.#set = set;
    const { bits } = set;
    const ofIndividuals = snapshot.kinds.individuals.bits;
    let individuals = 0;
    let found = 0;
    let others = 0;
    for (let i = 0; i < bits.length; i += SAMPLED) {
      const mask = ofIndividuals[i]!;
      individuals += ones(mask);
      found += ones(bits[i]! & mask);
      others += ones(bits[i]! & ~mask);
    }
    const all = Math.ceil(bits.length / SAMPLED) * 32;
    this.#flip = found * 2 > individuals ? -1 : 0;
    this.#flipOthers = others * 2 > all - individuals ? -1 : 0;
    let read = 0;
    let words = 0;
    for (let i = 0; i < bits.length; i += SAMPLED) {
      const word = bits[i]! ^ this.#flips(ofIndividuals[i]!);
      if (word === 0) continue;
      read += ones(word);
      words++;
    }
    this.#readCount = SAMPLED * read;
    this.#firstCost = SAMPLED * (read + words * WORD_COST);
  }

  /** How long counting takes, estimated: as long as looking up this many documents of a list in the set. */
  get cost(): number {
    return this.#before === null ? this.#firstCost : RANGE_COST;
  }

  /** How many documents of the set have a number in a range, of last names or of organization names. */
  count({ from, to }: NumberRange): number {
    const { nameDocs } = this.#snapshot;
    const first = ((from - 1) >>> SHIFT) + 1;
    const end = to >>> SHIFT;
    if (first >= end) return countMembers(nameDocs, this.#set, { from, to });
    const start = first << SHIFT;
    const stop = end << SHIFT;
    return (
      countMembers(nameDocs, this.#set, { from, to: start }) +
      this.#countIn(first, end) +
      countMembers(nameDocs, this.#set, { from: stop, to })
    );
  }

  /** A range without its buckets that no document of the set is in. */
  occupied({ from, to }: NumberRange): NumberRange[] {
    const ranges: NumberRange[] = [];
    for (let start = from; start < to;) {
      const bucket = start >>> SHIFT;
      const end = Math.min((bucket + 1) << SHIFT, to);
      const isWhole = end - start === 1 << SHIFT;
      if (!isWhole || this.#countIn(bucket, bucket + 1) > 0)
        ranges.push({ from: start, to: end });
      start = end;
    }
    return ranges;
  }

  /** How many documents of the set are in the buckets `first` to `end` - 1, which have only names of one kind. */
  #countIn(first: number, end: number): number {
    const { lastNames, nameDocs } = this.#snapshot;
    const before = (this.#before ??= this.#counted());
    const counted = before[end]! - before[first]!;
    const start = first << SHIFT;
    const flip = start <= lastNames.count ? this.#flip : this.#flipOthers;
    if (flip === 0) return counted;
    const { starts } = nameDocs;
    return starts[end << SHIFT]! - starts[start]! - counted;
  }

  #counted(): Uint32Array {
    const { name, nameDocs } = this.#snapshot;
    const bits = this.#read();
    // Number 0, no name, is counted too.
    const before = new Uint32Array(
      ((nameDocs.starts.length - 2) >>> SHIFT) + 2,
    );
    if (this.#readCount * SPARSE < 32 * bits.length) {
      // The processor then waits for many names at a time.
      const docs = new BitSet(this.#snapshot.count, bits).toArray();
      for (let i = 0; i < docs.length; i++)
        before[(name[docs[i]!]! >>> SHIFT) + 1]!++;
    } else
      for (let i = 0; i < bits.length; i++)
        for (let rest = bits[i]!; rest !== 0; rest &= rest - 1)
          before[
            (name[(i << 5) + 31 - Math.clz32(rest & -rest)]! >>> SHIFT) + 1
          ]!++;
    for (let bucket = 1; bucket < before.length; bucket++)
      before[bucket]! += before[bucket - 1]!;
    return before;
  }

  /** The documents that are counted. */
  #read(): Uint32Array {
    const { bits } = this.#set;
    if ((this.#flip | this.#flipOthers) === 0) return bits;
    const { count, kinds } = this.#snapshot;
    const ofIndividuals = kinds.individuals.bits;
    const read = new Uint32Array(bits.length);
    for (let i = 0; i < bits.length; i++)
      read[i] = bits[i]! ^ this.#flips(ofIndividuals[i]!);
    if ((count & 31) !== 0) read[read.length - 1]! &= (1 << (count & 31)) - 1;
    return read;
  }

  /** Which of a word's documents are counted if they are not in the set. The individuals are given. */
  #flips(individuals: number): number {
    return (individuals & this.#flip) | (~individuals & this.#flipOthers);
  }
}
