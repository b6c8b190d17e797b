import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import { lowerBound } from "../../snapshot/bytes/sorted.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";

const BATCH = 1024;
/** Lists of up to this many documents are passed on together. */
const SHORT = 32;
/** A range that contains all documents. Its end is a small integer: comparing with a larger number is slower. */
export const ALL_DOCS: NumberRange = { from: 0, to: 2 ** 30 - 1 };

/**
 * Passes on the documents of entries that are in a range, as `items[from, to)`, valid during the call. Lists of rare
 * names are short and far apart in memory, so waiting for them dominates: they are read in steps, each for many
 * entries, so the processor can wait for several reads at a time. Lists of entries in a row are passed on as one.
 */
export function eachDocs(
  { items, starts }: Postings,
  entries: Uint32Array,
  within: NumberRange,
  take: (docs: Uint32Array, from: number, to: number) => void,
): void {
  const isAll = within === ALL_DOCS;
  const low = within.from;
  const span = within.to - low;
  const room = Math.min(BATCH, entries.length);
  const froms = new Uint32Array(room);
  const ends = new Uint32Array(room);
  const firsts = new Uint32Array(room);
  const gathered = new Uint32Array(room * SHORT);
  for (let base = 0; base < entries.length; base += BATCH) {
    const size = Math.min(BATCH, entries.length - base);
    const least = entries[base]!;
    if (isAll && entries[base + size - 1] === least + size - 1) {
      take(items, starts[least]!, starts[least + size]!);
      continue;
    }
    for (let i = 0; i < size; i++) {
      const entry = entries[base + i]!;
      froms[i] = starts[entry]!;
      ends[i] = starts[entry + 1]!;
    }
    // Loads the start of each list.
    for (let i = 0; i < size; i++) firsts[i] = items[froms[i]!]!;
    let count = 0;
    for (let i = 0; i < size; i++) {
      const from = froms[i]!;
      const end = ends[i]!;
      if (isAll) {
        if (end - from > SHORT) take(items, from, end);
        else for (let at = from; at < end; at++) gathered[count++] = items[at]!;
        continue;
      }
      if (end - from > SHORT) {
        const first = lowerBound(items, low, from, end);
        take(items, first, lowerBound(items, within.to, first, end));
        continue;
      }
      for (let at = from; at < end; at++) {
        const doc = items[at]!;
        if ((doc - low) >>> 0 < span) gathered[count++] = doc;
      }
    }
    take(gathered, 0, count);
  }
}

/** Adds the documents of entries to a set. */
export function addDocs(
  set: BitSet,
  docs: Postings,
  entries: Uint32Array,
): void {
  eachDocs(docs, entries, ALL_DOCS, (items, from, to) =>
    set.addAll(items, from, to),
  );
}
