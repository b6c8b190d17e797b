import type { Dictionary } from "../dictionary/dictionary.ts";
import { listNgrams, listOf, type NgramGroups } from "./ngram-index.ts";
import type { NgramLists } from "./ngram-table.ts";
import { withRoom } from "../bytes/growable.ts";
import { writeVarint } from "../bytes/varint.ts";

/** The maximum bytes of a number in a list. */
const MAX_VARINT_BYTES = 5;
const NOTHING = new Uint32Array(0);

/** The n-grams of a base's dictionary, and what changed in it. */
interface BaseNgrams {
  ngrams: NgramGroups;
  /** Where the documents of each entry started. */
  docStarts: Uint32Array;
  /** The new number of each old one. */
  fromBase: Uint32Array;
}

/**
 * The n-grams of a dictionary with added entries, as listNgrams makes them: those of the base, renumbered, merged with
 * those of the new entries. The documents of an n-gram are the base's, plus the changes of entries that have it.
 */
export function mergeNgrams(
  { docStarts: startsBefore, fromBase, ngrams }: BaseNgrams,
  dictionary: Dictionary,
  docStarts: Uint32Array,
): NgramGroups {
  const added = listNgrams(
    dictionary,
    docStarts,
    addedNumbers(fromBase, dictionary.count),
  );
  const { changes, numbers } = changedDocs(fromBase, startsBefore, docStarts);
  const changed = listNgrams(dictionary, changes, numbers);
  const of = (group: keyof NgramGroups): NgramLists =>
    merge(ngrams[group], fromBase, added[group], changed[group]);
  return { inside: of("inside"), begin: of("begin") };
}

/** The numbers that no entry of the base has. */
export function addedNumbers(
  fromBase: Uint32Array,
  count: number,
): Uint32Array {
  const numbers = new Uint32Array(count - fromBase.length + 1);
  let added = 0;
  let old = 1;
  for (let number = 1; number <= count; number++) {
    if (fromBase[old] === number) old++;
    else numbers[added++] = number;
  }
  return numbers;
}

/**
 * The new numbers of the base's entries with more or fewer documents than before, and how many more as the differences
 * of successive `changes`, modulo 2³².
 */
function changedDocs(
  fromBase: Uint32Array,
  before: Uint32Array,
  now: Uint32Array,
): { numbers: Uint32Array; changes: Uint32Array } {
  const changes = new Uint32Array(now.length);
  const numbers = new Uint32Array(fromBase.length);
  let count = 0;
  let sum = 0;
  let last = 0;
  for (let old = 1; old < fromBase.length; old++) {
    const number = fromBase[old]!;
    const docs = now[number + 1]! - now[number]!;
    const change = docs - (before[old + 1]! - before[old]!);
    if (change === 0) continue;
    changes.fill(sum, last, number + 1);
    last = number + 1;
    sum += change;
    numbers[count++] = number;
  }
  changes.fill(sum, last);
  return { numbers: numbers.subarray(0, count), changes };
}

/** `changed` has the n-grams of the base's entries with other documents than before, and how many more. */
function merge(
  base: NgramLists,
  fromBase: Uint32Array,
  added: NgramLists,
  changed: NgramLists,
): NgramLists {
  const maxNgrams = base.ngrams.length + added.ngrams.length;
  const ngrams = new Uint32Array(maxNgrams);
  const starts = new Uint32Array(maxNgrams + 1);
  const counts = new Uint32Array(maxNgrams);
  const docs = new Uint32Array(maxNgrams);
  let lists: Uint8Array = new Uint8Array(
    base.lists.length + added.lists.length,
  );
  let old = 0;
  let next = 0;
  let nextChanged = 0;
  let size = 0;
  while (old < base.ngrams.length || next < added.ngrams.length) {
    const ngram = Math.min(
      base.ngrams[old] ?? Number.POSITIVE_INFINITY,
      added.ngrams[next] ?? Number.POSITIVE_INFINITY,
    );
    const isOld = base.ngrams[old] === ngram;
    const isNew = added.ngrams[next] === ngram;
    const extra = isNew ? listOf(added, next) : NOTHING;
    const countBefore = isOld ? base.counts[old]! : 0;
    const count = countBefore + extra.length;
    ngrams[size] = ngram;
    counts[size] = count;
    if (isOld) docs[size]! += base.docs[old]!;
    if (isNew) docs[size]! += added.docs[next]!;
    if (changed.ngrams[nextChanged] === ngram)
      docs[size]! += changed.docs[nextChanged++]!;
    const start = starts[size]!;
    lists = withRoom(lists, start + count * MAX_VARINT_BYTES);
    starts[++size] = mergeList(
      base.lists,
      isOld ? base.starts[old]! : 0,
      countBefore,
      fromBase,
      extra,
      lists,
      start,
    );
    if (isOld) old++;
    if (isNew) next++;
  }
  return {
    ngrams: ngrams.subarray(0, size),
    starts: starts.subarray(0, size + 1),
    counts: counts.subarray(0, size),
    docs: docs.subarray(0, size),
    lists: lists.subarray(0, starts[size]),
  };
}

/**
 * Writes a list of the base, which has `count` entries from `at` on, to `target`, renumbered and merged with `extra`; all
 * ascending. Returns the end. Varints are as `ByteReader` and `writeVarint` have them, without a call for each.
 */
function mergeList(
  source: Uint8Array,
  at: number,
  count: number,
  fromBase: Uint32Array,
  extra: Uint32Array,
  target: Uint8Array,
  start: number,
): number {
  let from = at;
  let to = start;
  let old = 0;
  let last = 0;
  let next = 0;
  for (let left = count; left > 0; left--) {
    let byte = source[from++]!;
    let step = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = source[from++]!;
      step |= (byte & 0x7f) << shift;
    }
    old += step;
    const entry = fromBase[old]!;
    for (; next < extra.length && extra[next]! < entry; next++) {
      to = writeVarint(target, to, extra[next]! - last);
      last = extra[next]!;
    }
    let rest = entry - last;
    last = entry;
    for (; rest >= 0x80; rest >>>= 7) target[to++] = (rest & 0x7f) | 0x80;
    target[to++] = rest;
  }
  for (; next < extra.length; next++) {
    to = writeVarint(target, to, extra[next]! - last);
    last = extra[next]!;
  }
  return to;
}
