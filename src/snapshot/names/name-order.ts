import { release } from "../bytes/once.ts";
import { compareBytes } from "../bytes/string-sort.ts";
import { Dictionary } from "../dictionary/dictionary.ts";
import type { Names } from "./name-index.ts";

/**
 * Orders documents by the name shown (FORMAT.md, "Documents and their order"): two stable sorts of the documents by
 * NPI, first by first name, then by name.
 */
export function orderByName(names: Names, docsByNpi: Uint32Array): Uint32Array {
  const firstNames = new Dictionary(names.firstNames);
  const byFirst = sorted(docsByNpi, names.first, firstRanks(firstNames));
  const ofNames = nameRanks(
    new Dictionary(names.lastNames),
    new Dictionary(names.organizations),
  );
  const order = sorted(byFirst, names.name, ofNames);
  release(byFirst);
  return order;
}

/** Compares the folded values of two entries, each of a dictionary. */
export function compareEntries(
  names: Dictionary,
  entry: number,
  others: Dictionary,
  other: number,
): number {
  return compareBytes(
    names.bytes,
    names.offsets[entry]!,
    names.foldedEnd(entry),
    others.bytes,
    others.offsets[other]!,
    others.foldedEnd(other),
  );
}

/** Ranks each first name; none, or one that folds to nothing, has rank 0. */
function firstRanks(names: Dictionary): Uint32Array {
  const ranks = new Uint32Array(names.count + 1);
  for (let entry = 1, rank = 0; entry <= names.count; entry++) {
    const isNew =
      entry === 1
        ? names.foldedEnd(1) > names.offsets[1]!
        : !names.isFoldedAlike(entry - 1, entry);
    if (isNew) rank++;
    ranks[entry] = rank;
  }
  return ranks;
}

/** Ranks each number of the column of names. No name comes last. */
function nameRanks(lastNames: Dictionary, others: Dictionary): Uint32Array {
  const ranks = new Uint32Array(lastNames.count + others.count + 1);
  let rank = 0;
  /** Gives the next rank to an entry and those folded like it. Returns the entry after them. */
  const take = (names: Dictionary, entry: number, base: number): number => {
    let next = entry;
    do ranks[base + next++] = rank;
    while (next <= names.count && names.isFoldedAlike(entry, next));
    return next;
  };
  for (let i = 1, j = 1; i <= lastNames.count || j <= others.count; rank++) {
    const order =
      i > lastNames.count
        ? 1
        : j > others.count
          ? -1
          : compareEntries(lastNames, i, others, j);
    if (order <= 0) i = take(lastNames, i, 0);
    if (order >= 0) j = take(others, j, lastNames.count);
  }
  ranks[0] = rank;
  return ranks;
}

/** Sorts documents by the ranks of their numbers in a column, stably. */
function sorted(
  docs: Uint32Array,
  column: Uint32Array,
  ranks: Uint32Array,
): Uint32Array {
  let most = 0;
  for (let entry = 0; entry < ranks.length; entry++)
    most = Math.max(most, ranks[entry]!);
  // Where the next document of each rank goes.
  const next = new Uint32Array(most + 2);
  for (let doc = 0; doc < column.length; doc++)
    next[ranks[column[doc]!]! + 1]!++;
  for (let rank = 0; rank <= most; rank++) next[rank + 1]! += next[rank]!;
  const order = new Uint32Array(docs.length);
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    order[next[ranks[column[doc]!]!]!++] = doc;
  }
  release(next, ranks);
  return order;
}
