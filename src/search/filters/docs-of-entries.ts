import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import { lowerBound } from "../../snapshot/bytes/sorted.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";

const BATCH = 1024;
/** Lists of up to this many documents are passed on together. */
const SHORT = 32;
/** The lists of at least this many entries in a row are passed on as one. */
const RUN = 8;
/** A range that contains all documents. */
export const ALL_DOCS: NumberRange = { from: 0, to: 2 ** 32 - 1 };

/**
 * Passes on the documents of entries that are in a range, as `items[from, to)`, valid during the call. Lists of rare
 * names are short and far apart in memory, so waiting for them dominates: they are read in steps, each for many
 * entries, so the processor can wait for several reads at a time.
 */
export function eachDocs(
  { items, starts }: Postings,
  entries: Uint32Array,
  within: NumberRange,
  take: (docs: Uint32Array, from: number, to: number) => void,
): void {
  const low = within.from;
  const span = within.to - low;
  const room = Math.min(BATCH, entries.length);
  const froms = new Uint32Array(room);
  const ends = new Uint32Array(room);
  const firsts = new Uint32Array(room);
  const gathered = new Uint32Array(room * SHORT);
  for (let base = 0; base < entries.length; base += BATCH) {
    const size = Math.min(BATCH, entries.length - base);
    const past = base + size;
    let apart = 0;
    for (let at = base; at < past;) {
      const first = entries[at]!;
      let end = at + 1;
      if (within === ALL_DOCS)
        while (end < past && entries[end] === first + end - at) end++;
      if (end - at >= RUN)
        take(items, starts[first]!, starts[first + end - at]!);
      else
        for (let entry = first; entry < first + end - at; entry++) {
          froms[apart] = starts[entry]!;
          ends[apart++] = starts[entry + 1]!;
        }
      at = end;
    }
    // Loads the start of each list.
    for (let i = 0; i < apart; i++) firsts[i] = items[froms[i]!]!;
    let count = 0;
    for (let i = 0; i < apart; i++) {
      const from = froms[i]!;
      const end = ends[i]!;
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
