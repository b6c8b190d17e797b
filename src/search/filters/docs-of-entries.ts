import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import { lowerBound } from "../../snapshot/bytes/sorted.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";

const BATCH = 1024;
/** Runs of lists of up to this many documents are passed on together. */
const SHORT = 32;
/** A range that contains all documents. Its end is a small integer: comparing with a larger number is slower. */
export const ALL_DOCS: NumberRange = { from: 0, to: 2 ** 30 - 1 };

/** Memory for one call. */
class Scratch {
  /** The end of each run of entries, among the entries. */
  readonly past = new Uint32Array(BATCH);
  /** The start and end of each run's lists. */
  readonly froms = new Uint32Array(BATCH);
  readonly ends = new Uint32Array(BATCH);
  readonly firsts = new Uint32Array(BATCH);
  readonly gathered = new Uint32Array(BATCH * SHORT);
}

/** The scratch memory that no call is using. */
let spare: Scratch | null = null;

/**
 * Passes on the documents of entries that are in a range, as `items[from, to)`, valid during the call. Entries ascend.
 * Lists of rare names are short and far apart in memory, so waiting for them dominates: they are read in steps, each
 * for many runs of successive entries, so the processor can wait for several reads at a time. The lists of a run are
 * next to each other.
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
  const scratch = spare ?? new Scratch();
  spare = null;
  const { ends, firsts, froms, gathered, past } = scratch;
  for (let base = 0; base < entries.length; base += BATCH) {
    const batch = entries.subarray(base, base + BATCH);
    const runs = findRuns(batch, past);
    for (let i = 0, at = 0; i < runs; i++) {
      froms[i] = starts[batch[at]!]!;
      at = past[i]!;
      ends[i] = starts[batch[at - 1]! + 1]!;
    }
    // Loads the start of each run's lists.
    for (let i = 0; i < runs; i++) firsts[i] = items[froms[i]!]!;
    let count = 0;
    let first = 0;
    for (let i = 0; i < runs; i++) {
      const from = froms[i]!;
      const end = ends[i]!;
      const lists = past[i]! - first;
      if (end - from <= (isAll ? SHORT : SHORT * lists)) {
        for (let at = from; at < end; at++) {
          const doc = items[at]!;
          if ((doc - low) >>> 0 < span) gathered[count++] = doc;
        }
      } else if (isAll) take(items, from, end);
      else
        for (let at = first; at < past[i]!; at++) {
          const entry = batch[at]!;
          const to = starts[entry + 1]!;
          const start = lowerBound(items, low, starts[entry], to);
          take(items, start, lowerBound(items, within.to, start, to));
        }
      first = past[i]!;
    }
    take(gathered, 0, count);
  }
  spare = scratch;
}

/** Writes where each run of successive entries ends, as indexes. Returns the number of runs. */
function findRuns(entries: Uint32Array, past: Uint32Array): number {
  let run = -1;
  let next = -1;
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i]!;
    // 1 if the entry isn't the next one, without a branch that the processor could not guess.
    run += ((entry - next) | (next - entry)) >>> 31;
    past[run] = i + 1;
    next = entry + 1;
  }
  return run + 1;
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
