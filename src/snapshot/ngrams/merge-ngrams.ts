import type { Dictionary } from "../dictionary/dictionary.ts";
import { listNgrams, listOf, type NgramGroups } from "./ngram-index.ts";
import type { NgramLists } from "./ngram-table.ts";
import { withRoom } from "../bytes/growable.ts";
import { ByteReader, writeVarint } from "../bytes/varint.ts";

/** The maximum bytes of a number in a list. */
const MAX_VARINT_BYTES = 5;
const NOTHING = new Uint32Array(0);

/**
 * The n-grams of a dictionary with added entries, as listNgrams makes them: those of the base, renumbered, merged with
 * those of the new entries. `fromBase` has the new number of each old one.
 */
export function mergeNgrams(
  base: NgramGroups,
  fromBase: Uint32Array,
  dictionary: Dictionary,
  docStarts: Uint32Array,
): NgramGroups {
  const added = listNgrams(
    dictionary,
    docStarts,
    addedNumbers(fromBase, dictionary.count),
  );
  return {
    inside: merge(base.inside, fromBase, added.inside, docStarts),
    begin: merge(base.begin, fromBase, added.begin, docStarts),
  };
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

function merge(
  base: NgramLists,
  fromBase: Uint32Array,
  added: NgramLists,
  docStarts: Uint32Array,
): NgramLists {
  const maxNgrams = base.ngrams.length + added.ngrams.length;
  const ngrams = new Uint32Array(maxNgrams);
  const starts = new Uint32Array(maxNgrams + 1);
  const counts = new Uint32Array(maxNgrams);
  const docs = new Uint32Array(maxNgrams);
  let lists: Uint8Array = new Uint8Array(
    base.lists.length + added.lists.length,
  );
  let entries: Uint32Array = new Uint32Array(0);
  let old = 0;
  let next = 0;
  let size = 0;
  while (old < base.ngrams.length || next < added.ngrams.length) {
    const ngram = Math.min(
      base.ngrams[old] ?? Number.POSITIVE_INFINITY,
      added.ngrams[next] ?? Number.POSITIVE_INFINITY,
    );
    const isOld = base.ngrams[old] === ngram;
    const isNew = added.ngrams[next] === ngram;
    const extra = isNew ? listOf(added, next) : NOTHING;
    const count = (isOld ? base.counts[old]! : 0) + extra.length;
    entries = withRoom(entries, count);
    if (isOld) mapList(base, old, fromBase, extra, entries);
    else entries.set(extra);
    ngrams[size] = ngram;
    counts[size] = count;
    let to = starts[size]!;
    lists = withRoom(lists, to + count * MAX_VARINT_BYTES);
    let last = 0;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const entry = entries[i]!;
      sum += docStarts[entry + 1]! - docStarts[entry]!;
      to = writeVarint(lists, to, entry - last);
      last = entry;
    }
    docs[size] = sum;
    starts[++size] = to;
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

/** Decodes a list of the base into `target`, renumbered and merged with `extra`; all ascending. */
function mapList(
  { counts, lists, starts }: NgramLists,
  index: number,
  fromBase: Uint32Array,
  extra: Uint32Array,
  target: Uint32Array,
): void {
  const list = new ByteReader(lists, starts[index]);
  let old = 0;
  let to = 0;
  let next = 0;
  for (let left = counts[index]!; left > 0; left--) {
    old += list.varint();
    const entry = fromBase[old]!;
    while (next < extra.length && extra[next]! < entry)
      target[to++] = extra[next++]!;
    target[to++] = entry;
  }
  while (next < extra.length) target[to++] = extra[next++]!;
}
