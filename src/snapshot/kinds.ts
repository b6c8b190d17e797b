import { Entity } from "../registry/provider-row.ts";
import type { EntityType, Status } from "../registry/provider.ts";
import type { SectionFile, SectionWriter } from "./section-file.ts";

/**
 * A document's kind is its entity type (0 withheld, 1 individual, 2 organization), plus 4 when it is deactivated. How
 * many of each kind stand before each block of documents is stored too, so that a range is counted by its edges alone.
 */
export const KIND_COUNT = 8;
export const KIND_BLOCK = 4096;
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

/** The kinds that the filters admit, as bits; all of them without a filter. */
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

/** Writes the sections `kind` and `kind.blocks`. */
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
  writer.write("kind", kinds);
  writer.write("kind.blocks", blocks);
}

/** Counts and finds documents of admitted kinds without looking at each. */
export class Kinds {
  /** The kind of each document. */
  readonly column: Uint8Array;
  readonly #blocks: Uint32Array;

  constructor(file: SectionFile) {
    this.column = file.bytes("kind");
    this.#blocks = file.uint32("kind.blocks");
  }

  /** How many of the documents `from` to `to` - 1 have a kind in `mask`. */
  count(from: number, to: number, mask: number): number {
    if (mask === ALL_KINDS) return to - from;
    return to - from < KIND_BLOCK
      ? this.#scan(from, to, mask)
      : this.#before(to, mask) - this.#before(from, mask);
  }

  /** The document at place `index` (0-based) among those of `mask` from document `from` on; it must exist. */
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
