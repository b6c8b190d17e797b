import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";

const BATCH = 1024;
/** Lists of at most so many documents are handed on together. */
const SHORT = 32;

/**
 * Hands on the lists of entries: as the documents at `from` to `to` - 1 of an array, which holds during the call. Lists of
 * rare names are short and lie far apart in memory, so that the time is that of waiting for them: they are read in steps of
 * one kind for many entries, which the processor does for several at a time.
 */
export function eachDocs(
  { items, starts }: Postings,
  entries: Uint32Array,
  take: (docs: Uint32Array, from: number, to: number) => void,
): void {
  const room = Math.min(BATCH, entries.length);
  const begins = new Uint32Array(room);
  const ends = new Uint32Array(room);
  const firsts = new Uint32Array(room);
  const gathered = new Uint32Array(room * SHORT);
  for (let base = 0; base < entries.length; base += BATCH) {
    const size = Math.min(BATCH, entries.length - base);
    for (let i = 0; i < size; i++) {
      const entry = entries[base + i]!;
      begins[i] = starts[entry]!;
      ends[i] = starts[entry + 1]!;
    }
    for (let i = 0; i < size; i++) firsts[i] = items[begins[i]!]!;
    let count = 0;
    for (let i = 0; i < size; i++) {
      const begin = begins[i]!;
      const end = ends[i]!;
      if (end - begin > SHORT) take(items, begin, end);
      else if (begin < end) {
        gathered[count++] = firsts[i]!;
        for (let at = begin + 1; at < end; at++) gathered[count++] = items[at]!;
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
  eachDocs(docs, entries, (items, from, to) => set.addAll(items, from, to));
}
