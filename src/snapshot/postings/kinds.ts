import { Entity } from "../../registry/rows/provider-row.ts";
import type { EntityType, Status } from "../../contract/provider.ts";
import { BitSet, wordsFor } from "../bytes/bitset.ts";
import { SECTIONS } from "../container/descriptors.ts";
import type { Sections } from "../container/sections.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/**
 * A document's kind is its entity type (0 withheld, 1 individual, 2 organization), plus 4 if it is deactivated. The
 * number of documents of each kind before each block is stored as well, so counting a range only looks at its edges.
 */
export const KIND_COUNT = 8;
const KIND_BLOCK = 4096;
const DEACTIVATED = 4;

export function kindOf(entityType: number, deactivated: boolean): number {
  return entityType | (deactivated ? DEACTIVATED : 0);
}

export function entityOf(kind: number): number {
  return kind & 3;
}

export function isDeactivated(kind: number): boolean {
  return (kind & DEACTIVATED) !== 0;
}

export function entityTypeOf(kind: number): EntityType | null {
  const entity = entityOf(kind);
  if (entity === Entity.withheld) return null;
  return entity === Entity.individual ? "individual" : "organization";
}

export function statusOf(kind: number): Status {
  return isDeactivated(kind) ? "deactivated" : "active";
}

/** Returns the kinds that the filters admit, as bits; all kinds without a filter. */
export function kindMask(
  entityType: EntityType | undefined,
  status: Status | undefined,
): number {
  let mask = 0;
  for (let kind = 0; kind < KIND_COUNT; kind++) {
    const admitted =
      (entityType === undefined || entityTypeOf(kind) === entityType) &&
      (status === undefined || statusOf(kind) === status);
    if (admitted) mask |= 1 << kind;
  }
  return mask;
}

export const ALL_KINDS = (1 << KIND_COUNT) - 1;

const KINDS_IN_USE = 0b0111_0111;
const KINDS_OF_INDIVIDUALS = 0b0010_0010;
const KINDS_OF_ORGANIZATIONS = 0b0100_0100;
const KINDS_DEACTIVATED = 0b1111_0000;
/** The sets in the section `kind.bits`, each by the kinds of its members. */
const STORED_SETS = [
  KINDS_OF_INDIVIDUALS,
  KINDS_OF_ORGANIZATIONS,
  KINDS_DEACTIVATED,
];

/** Writes the sections `kind`, `kind.blocks` and `kind.bits`. */
export function writeKinds(writer: SectionWriter, kinds: Uint8Array): void {
  const blocks = new Uint32Array(
    (Math.ceil(kinds.length / KIND_BLOCK) + 1) * KIND_COUNT,
  );
  const counts = new Uint32Array(KIND_COUNT);
  for (let doc = 0; doc < kinds.length; doc++) {
    if (doc % KIND_BLOCK === 0)
      blocks.set(counts, (doc / KIND_BLOCK) * KIND_COUNT);
    counts[kinds[doc]!]!++;
  }
  blocks.set(counts, blocks.length - KIND_COUNT);
  writer.write(SECTIONS.kind, kinds);
  writer.write(SECTIONS.kindBlocks, blocks);
  const sets = STORED_SETS.map((stored) => setOf(kinds, stored).bits);
  writer.write(SECTIONS.kindBits, ...sets);
}

function isOnly(mask: number, kinds: number): boolean {
  return (mask & KINDS_IN_USE & ~kinds) === 0;
}

function setOf(kinds: Uint8Array, mask: number): BitSet {
  const set = new BitSet(kinds.length);
  for (let doc = 0; doc < kinds.length; doc++)
    set.bits[doc >>> 5]! |= ((mask >>> kinds[doc]!) & 1) << (doc & 31);
  return set;
}

/** Counts and finds documents of given kinds without looking at each. */
export class Kinds {
  /** The kind of each document. */
  readonly column: Uint8Array;
  readonly individuals: BitSet;
  readonly organizations: BitSet;
  readonly deactivated: BitSet;
  readonly #blocks: Uint32Array;

  constructor(sections: Sections) {
    this.column = sections.get(SECTIONS.kind);
    this.#blocks = sections.get(SECTIONS.kindBlocks);
    const bits = sections.get(SECTIONS.kindBits);
    const words = wordsFor(this.column.length);
    const stored = (index: number): BitSet =>
      new BitSet(
        this.column.length,
        bits.subarray(index * words, (index + 1) * words),
      );
    this.individuals = stored(0);
    this.organizations = stored(1);
    this.deactivated = stored(2);
  }

  /** Returns the stored set of the documents whose kind is in `mask`; null if there is none. */
  setOf(mask: number): BitSet | null {
    switch (mask & KINDS_IN_USE) {
      case KINDS_OF_INDIVIDUALS:
        return this.individuals;
      case KINDS_OF_ORGANIZATIONS:
        return this.organizations;
      default:
        return null;
    }
  }

  /**
   * Removes documents whose kind is not in `mask`, which must come from `kindMask`, or be an intersection of such
   * masks.
   */
  restrict(docs: BitSet, mask: number): void {
    if (mask === ALL_KINDS) return;
    if (isOnly(mask, KINDS_OF_INDIVIDUALS)) docs.intersect(this.individuals);
    if (isOnly(mask, KINDS_OF_ORGANIZATIONS))
      docs.intersect(this.organizations);
    if (isOnly(mask, KINDS_DEACTIVATED)) docs.intersect(this.deactivated);
    if (isOnly(mask, ~KINDS_DEACTIVATED)) docs.subtract(this.deactivated);
  }

  /** True if none of the 32 documents of a word of sets has a kind in such a mask, as far as the stored sets say. */
  isEmpty(word: number, mask: number): boolean {
    let bits = -1;
    if (isOnly(mask, KINDS_OF_INDIVIDUALS))
      bits &= this.individuals.bits[word]!;
    if (isOnly(mask, KINDS_OF_ORGANIZATIONS))
      bits &= this.organizations.bits[word]!;
    if (isOnly(mask, KINDS_DEACTIVATED)) bits &= this.deactivated.bits[word]!;
    return bits === 0;
  }

  /** Counts the documents `from` to `to` - 1 with a kind in `mask`. */
  count(from: number, to: number, mask: number): number {
    if (mask === ALL_KINDS) return to - from;
    return to - from < KIND_BLOCK
      ? this.#scan(from, to, mask)
      : this.#before(to, mask) - this.#before(from, mask);
  }

  /** Finds the document at `index` (from 0) among those of `mask` from document `from` on. It must exist. */
  select(from: number, index: number, mask: number): number {
    if (mask === ALL_KINDS) return from + index;
    const target = this.#before(from, mask) + index;
    let low = 0;
    let high = this.#blocks.length / KIND_COUNT - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#blockCount(middle, mask) <= target) low = middle;
      else high = middle - 1;
    }
    let left = target - this.#blockCount(low, mask);
    for (let doc = low * KIND_BLOCK; ; doc++) {
      if (((mask >>> this.column[doc]!) & 1) === 1 && left-- === 0) return doc;
    }
  }

  #before(doc: number, mask: number): number {
    const block = Math.floor(doc / KIND_BLOCK);
    return (
      this.#blockCount(block, mask) + this.#scan(block * KIND_BLOCK, doc, mask)
    );
  }

  #scan(from: number, to: number, mask: number): number {
    let count = 0;
    for (let doc = from; doc < to; doc++)
      count += (mask >>> this.column[doc]!) & 1;
    return count;
  }

  #blockCount(block: number, mask: number): number {
    let count = 0;
    for (let kind = 0; kind < KIND_COUNT; kind++) {
      if (((mask >>> kind) & 1) === 1)
        count += this.#blocks[block * KIND_COUNT + kind]!;
    }
    return count;
  }
}
