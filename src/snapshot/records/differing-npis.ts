import { entityOf } from "../postings/kinds.ts";
import { Entity } from "../../registry/rows/provider-row.ts";
import {
  fieldsOf,
  Has,
  isText,
  type RecordReader,
  type Words,
} from "./records.ts";
import { BitSet } from "../bytes/bitset.ts";
import { NumberList } from "../bytes/growable.ts";
import { ByteInterner } from "../bytes/byte-interner.ts";
import { numbersIn } from "../dictionary/merged-dictionary.ts";
import type { DiskSnapshot } from "../base-snapshot.ts";

/** Parts of a record that only the snapshot and imports use, and that no answer shows. */
const OF_THE_SNAPSHOT =
  Has.citySpelling | Has.file | Has.carriedOver | Has.reactivationDate;

/**
 * Finds the NPIs whose records differ between two snapshots, in any order. The documents of both are in nearly the same
 * order.
 */
export function differingNpis(
  before: DiskSnapshot,
  after: DiskSnapshot,
): Uint32Array {
  const comparer = new RecordComparer(before, after);
  const met = new BitSet(before.count);
  const differing = new NumberList();
  let next = 0;
  for (let doc = 0; doc < after.count; doc++) {
    const npi = after.npi[doc]!;
    const old = before.npi[next] === npi ? next : before.npiIndex.find(npi);
    if (old >= 0) {
      next = old + 1;
      met.add(old);
    }
    if (old < 0 || !comparer.isSame(old, doc)) differing.push(npi);
  }
  for (let doc = 0; doc < before.count; doc++)
    if (!met.has(doc)) differing.push(before.npi[doc]!);
  return differing.numbers;
}

/**
 * Compares records of two snapshots by numbers and bytes, without decoding texts: about ten times as fast as rendering
 * both. Aligns their dictionaries and words first.
 */
class RecordComparer {
  readonly #before: DiskSnapshot;
  readonly #after: DiskSnapshot;
  /** New number of each text of the old snapshot. */
  readonly #lastNames: Uint32Array;
  readonly #organizations: Uint32Array;
  readonly #firstNames: Uint32Array;
  readonly #taxonomies: Uint32Array;
  readonly #cities: Uint32Array;
  readonly #words: TextComparer;

  constructor(before: DiskSnapshot, after: DiskSnapshot) {
    this.#before = before;
    this.#after = after;
    this.#lastNames = numbersIn(after.lastNames, before.lastNames);
    this.#organizations = numbersIn(after.organizations, before.organizations);
    this.#firstNames = numbersIn(after.firstNames, before.firstNames);
    this.#taxonomies = numbersIn(after.taxonomies, before.taxonomies);
    this.#cities = numbersIn(after.cities, before.cities);
    this.#words = new TextComparer(before.records, after.records);
  }

  /** True if two documents with the same NPI, one of each snapshot, have the same record. */
  isSame(old: number, doc: number): boolean {
    const before = this.#before;
    const after = this.#after;
    const kind = before.kinds.column[old]!;
    if (kind !== after.kinds.column[doc]!) return false;
    if (this.#taxonomies[before.taxonomy[old]!] !== after.taxonomy[doc]!)
      return false;
    if (this.#firstNames[before.firstName[old]!] !== after.firstName[doc]!)
      return false;
    return (
      this.#isNameSame(old, doc, entityOf(kind) === Entity.organization) &&
      this.#isRestSame(old, doc)
    );
  }

  #isNameSame(old: number, doc: number, isOrganization: boolean): boolean {
    const was = this.#before.name[old]!;
    const is = this.#after.name[doc]!;
    if (was === 0 || is === 0) return was === is;
    if (!isOrganization) return this.#lastNames[was] === is;
    const number = was - this.#before.lastNames.count;
    return this.#organizations[number] === is - this.#after.lastNames.count;
  }

  /** Compares place and record. */
  #isRestSame(old: number, doc: number): boolean {
    const { places: placesBefore, records: recordsBefore } = this.#before;
    const { places, records } = this.#after;
    const was = placesBefore.placeOf(old);
    const is = places.placeOf(doc);
    if (was < 0 !== is < 0) return false;
    if (was >= 0 && placesBefore.state[was]! !== places.state[is]!)
      return false;
    if (placesBefore.zipOf(old, was) !== places.zipOf(doc, is)) return false;
    recordsBefore.open(old);
    records.open(doc);
    const spellingBefore = recordsBefore.number(Has.citySpelling);
    const cityBefore = placesBefore.cityOf(old, was, spellingBefore);
    const spelling = records.number(Has.citySpelling);
    return (
      this.#cities[cityBefore] === places.cityOf(doc, is, spelling) &&
      this.#words.isSame()
    );
  }
}

/** Compares the opened records of two readers, without the parts that depend on the snapshot. */
class TextComparer {
  readonly #before: RecordReader;
  readonly #after: RecordReader;
  /** Common number of each word, per snapshot. */
  readonly #wordsBefore: Uint32Array;
  readonly #words: Uint32Array;

  constructor(before: RecordReader, after: RecordReader) {
    this.#before = before;
    this.#after = after;
    const both = new ByteInterner();
    this.#wordsBefore = wordNumbers(before.words, both);
    this.#words = wordNumbers(after.words, both);
  }

  isSame(): boolean {
    const before = this.#before;
    const after = this.#after;
    const { flags } = after;
    if (((before.flags ^ flags) & ~OF_THE_SNAPSHOT) !== 0) return false;
    const fields = fieldsOf(flags & ~OF_THE_SNAPSHOT);
    // From the first such field on, both records have the same fields.
    before.seek(fields & -fields);
    after.seek(fields & -fields);
    for (let left = fields; left !== 0; left &= left - 1) {
      const field = left & -left;
      const isSame = isText(field, flags)
        ? this.#isTextSame()
        : before.two() === after.two();
      if (!isSame) return false;
    }
    return true;
  }

  #isTextSame(): boolean {
    for (;;) {
      const old = this.#before.varint();
      const now = this.#after.varint();
      if (((old ^ now) & 1) !== 0) return false;
      if (this.#wordsBefore[old >>> 1] !== this.#words[now >>> 1]) return false;
      if ((now & 1) === 0) return true;
    }
  }
}

/** Returns the number of each word in an interner. */
function wordNumbers(
  { bytes, offsets }: Words,
  all: ByteInterner,
): Uint32Array {
  return new Uint32Array(offsets.length - 1).map((_, word) =>
    all.intern(bytes, offsets[word]!, offsets[word + 1]!),
  );
}
