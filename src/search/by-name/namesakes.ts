import { orderByKey } from "../../snapshot/bytes/radix-sort.ts";
import { lowerBound } from "../../snapshot/bytes/sorted.ts";
import { compareBytes } from "../../snapshot/bytes/string-sort.ts";
import type { Dictionary } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { rankedDocs } from "../evaluate/ranked-docs.ts";

/** Up to this many documents are sorted by comparing them. */
const FEW = 32;
/** NPIs are less than this. */
const NPI_END = 3_000_000_000;

/** Documents in ascending order of their numbers in the column of names, and these numbers. */
export interface NumberedDocs {
  readonly docs: Uint32Array;
  readonly numbers: Uint32Array;
}

/** Documents by name; those with equal names are together, in any order. */
export interface Namesakes {
  readonly docs: Uint32Array;
  /** Where the documents of each name end. */
  readonly ends: readonly number[];
}

/** Documents with a name, as names are compared. */
export function mergedByName(
  { lastNames, organizations }: Snapshot,
  { docs, numbers }: NumberedDocs,
): Namesakes {
  const others = lowerBound(numbers, lastNames.count + 1);
  const merged = new Uint32Array(docs.length);
  const ends: number[] = [];
  let count = 0;
  /** Takes the documents of the name at an index. Returns the index of the next name. */
  const take = (
    names: Dictionary,
    base: number,
    from: number,
    to: number,
  ): number => {
    const first = numbers[from]!;
    let last = first;
    let at = from;
    for (; at < to; at++) {
      const number = numbers[at]!;
      if (number !== last && !names.isFoldedAlike(first - base, number - base))
        break;
      last = number;
      merged[count++] = docs[at]!;
    }
    return at;
  };
  const base = lastNames.count;
  for (let i = 0, j = others; count < docs.length; ends.push(count)) {
    const order =
      i === others
        ? 1
        : j === docs.length
          ? -1
          : compareEntries(
              lastNames,
              numbers[i]!,
              organizations,
              numbers[j]! - base,
            );
    if (order <= 0) i = take(lastNames, 0, i, others);
    if (order >= 0) j = take(organizations, base, j, docs.length);
  }
  return { docs: merged, ends };
}

/** The documents at `offset` to `offset + limit` - 1 of some with the same name: by first name, then by NPI. */
export function pageOfNamesakes(
  snapshot: Snapshot,
  docs: Uint32Array,
  offset: number,
  limit: number,
): number[] {
  const { npi } = snapshot;
  const firstOf = firstNameOf(snapshot);
  if (docs.length <= FEW)
    return Array.from(docs)
      .sort((a, b) => firstOf(a) - firstOf(b) || npi[a]! - npi[b]!)
      .slice(offset, offset + limit);
  const near = aroundFirstName(snapshot, docs, offset, offset + limit);
  const page: number[] = [];
  let skip = offset - near.before;
  for (const namesakes of near.areAlike
    ? [near.docs]
    : byFirstName(near.docs, firstOf)) {
    if (page.length === limit) break;
    if (skip < namesakes.length) {
      const npis = namesakes.map((doc) => npi[doc]!);
      const found = rankedDocs(npis, NPI_END, skip, limit - page.length);
      for (const each of found) page.push(snapshot.npiIndex.find(each));
    }
    skip = Math.max(0, skip - namesakes.length);
  }
  return page;
}

/** Lists of the documents with each first name, by first name. */
function* byFirstName(
  docs: Uint32Array,
  firstOf: (doc: number) => number,
): Generator<Uint32Array> {
  const firsts = docs.map(firstOf);
  const order = orderByKey(firsts, firsts.length);
  for (let from = 0, to = 0; from < order.length; from = to) {
    const first = firsts[order[from]!]!;
    while (to < order.length && firsts[order[to]!] === first) to++;
    yield order.subarray(from, to).map((index) => docs[index]!);
  }
}

/** Of documents, those whose first names are around a page, and how many come before them. */
function aroundFirstName(
  { firstName, firstNames }: Snapshot,
  docs: Uint32Array,
  offset: number,
  end: number,
): {
  readonly before: number;
  readonly docs: Uint32Array;
  /** Whether all have one first name; false if not known. */
  readonly areAlike: boolean;
} {
  const shift = (32 - Math.clz32(firstNames.count)) >>> 1;
  const counts = new Uint32Array((firstNames.count >>> shift) + 1);
  for (let i = 0; i < docs.length; i++)
    counts[firstName[docs[i]!]! >>> shift]!++;
  let from = 0;
  let passed = 0;
  while (passed + counts[from]! <= offset) passed += counts[from++]!;
  let to = from;
  while (to < counts.length && passed < end) passed += counts[to++]!;
  // Entries that are compared alike stay together.
  let low = from << shift;
  while (low > 0 && firstNames.isFoldedAlike(low - 1, low)) low--;
  let high = Math.min(to << shift, firstNames.count + 1);
  while (high <= firstNames.count && firstNames.isFoldedAlike(high - 1, high))
    high++;
  const near = new Uint32Array(docs.length);
  let before = 0;
  let count = 0;
  let least = high;
  let greatest = low;
  for (let i = 0; i < docs.length; i++) {
    const entry = firstName[docs[i]!]!;
    if (entry < low) before++;
    else if (entry < high) {
      near[count++] = docs[i]!;
      least = Math.min(least, entry);
      greatest = Math.max(greatest, entry);
    }
  }
  const areAlike = least === greatest;
  return { before, docs: near.subarray(0, count), areAlike };
}

/** Finds the first entry that is compared like a document's first name; 0 for none. */
function firstNameOf({
  firstName,
  firstNames,
}: Snapshot): (doc: number) => number {
  const firsts = new Map<number, number>();
  let lastEntry = 0;
  let last = 0;
  return (doc) => {
    const entry = firstName[doc]!;
    if (entry === lastEntry) return last;
    let first = firsts.get(entry);
    if (first === undefined) {
      first = entry;
      while (first > 0 && firstNames.isFoldedAlike(first - 1, first)) first--;
      firsts.set(entry, first);
    }
    lastEntry = entry;
    last = first;
    return first;
  };
}

/** The order of two names. */
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
