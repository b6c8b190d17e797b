import type { NgramSections } from "../container/descriptors.ts";
import type { ArraysOf } from "../container/section.ts";
import { varintBytes, writeVarint } from "../bytes/varint.ts";

const FIRST_SLOTS = 1 << 12;
/** Numbers per slot: the n-gram, bytes of its list, its entries, their documents, the last entry added. */
const SLOT = 8;
const BYTES = 1;
const COUNT = 2;
const DOCS = 3;
const LAST = 4;

/** The entries of each n-gram: see FORMAT.md, "N-grams". */
export type NgramLists = ArraysOf<NgramSections["inside"]>;

/**
 * Collects n-gram lists in two passes over the same n-grams in the same order: the first measures the lists, the second
 * writes them. Entries ascend. Open addressing; no object per n-gram.
 */
export class NgramTable {
  #slots: Uint32Array = new Uint32Array(FIRST_SLOTS * SLOT);
  #size = 0;
  #lists: Uint8Array = new Uint8Array(0);

  /** Notes, in the first pass, that an entry with `docs` documents has an n-gram, which is not 0. */
  measure(ngram: number, entry: number, docs: number): void {
    const at = this.#find(ngram);
    const slots = this.#slots;
    const last = slots[at + LAST]!;
    if (last === entry) return;
    slots[at + BYTES]! += varintBytes(entry - last);
    slots[at + DOCS]! += docs;
    slots[at + LAST] = entry;
    if (slots[at + COUNT]!++ > 0) return;
    slots[at] = ngram;
    if (++this.#size * 2 * SLOT > slots.length) this.#grow();
  }

  /** Ends the first pass. The lists are complete after the second one. */
  lists(): NgramLists {
    const ngrams = this.#sortedNgrams();
    const starts = new Uint32Array(ngrams.length + 1);
    const counts = new Uint32Array(ngrams.length);
    const docs = new Uint32Array(ngrams.length);
    const slots = this.#slots;
    ngrams.forEach((ngram, index) => {
      const at = this.#find(ngram);
      const start = starts[index]!;
      starts[index + 1] = start + slots[at + BYTES]!;
      counts[index] = slots[at + COUNT]!;
      docs[index] = slots[at + DOCS]!;
      // From here on, the slot has the position at which the list continues.
      slots[at + BYTES] = start;
      slots[at + LAST] = 0;
    });
    this.#lists = new Uint8Array(starts[ngrams.length]!);
    return { ngrams, starts, counts, docs, lists: this.#lists };
  }

  /** Appends an entry to its n-gram's list, in the second pass. */
  append(ngram: number, entry: number): void {
    const at = this.#find(ngram);
    const slots = this.#slots;
    const last = slots[at + LAST]!;
    if (last === entry) return;
    slots[at + BYTES] = writeVarint(
      this.#lists,
      slots[at + BYTES]!,
      entry - last,
    );
    slots[at + LAST] = entry;
  }

  #sortedNgrams(): Uint32Array {
    const ngrams = new Uint32Array(this.#size);
    let used = 0;
    for (let at = 0; at < this.#slots.length; at += SLOT) {
      if (this.#slots[at] !== 0) ngrams[used++] = this.#slots[at]!;
    }
    return ngrams.sort();
  }

  /** Finds the n-gram's slot, or a free one. */
  #find(ngram: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = ((Math.imul(ngram, 0x9e3779b1) >>> 4) * SLOT) & mask;
    while (slots[at] !== 0 && slots[at] !== ngram) at = (at + SLOT) & mask;
    return at;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += SLOT) {
      if (old[at] !== 0)
        this.#slots.set(old.subarray(at, at + SLOT), this.#find(old[at]!));
    }
  }
}
