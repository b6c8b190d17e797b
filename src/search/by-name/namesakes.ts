import { orderByKey } from "../../snapshot/bytes/radix-sort.ts";
import { compareBytes } from "../../snapshot/bytes/string-sort.ts";
import type { Dictionary } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { rankedDocs } from "../evaluate/ranked-docs.ts";

/** Up to this many documents are sorted by comparing them. */
const FEW = 32;
/** NPIs are less than this. */
const NPI_END = 3_000_000_000;

/** Documents in ascending order of their entries in a dictionary of names, and these entries. */
export interface NamedDocs {
  readonly names: Dictionary;
  readonly docs: Uint32Array;
  readonly entries: Uint32Array;
}

/** Where one name divides two dictionaries. */
export interface NameCut {
  /** The first entry with this name. */
  readonly first: number;
  /** The first entry of the other dictionary that isn't before it. */
  readonly inOther: number;
}

/** Divides two dictionaries at the name of an entry of the first one. */
export function cutAt(
  names: Dictionary,
  entry: number,
  others: Dictionary,
): NameCut {
  let first = entry;
  while (first > 1 && names.isFoldedAlike(first - 1, first)) first--;
  const folded = names.bytes.subarray(
    names.offsets[entry],
    names.foldedEnd(entry),
  );
  return { first, inOther: others.firstEntryFrom(folded) };
}

/** Documents by name; those with equal names are together, in any order. */
export interface Namesakes {
  readonly docs: Uint32Array;
  /** Where the documents of each name end. */
  readonly ends: readonly number[];
}

/** The documents of both dictionaries by name, as names are compared. */
export function mergedByName(one: NamedDocs, other: NamedDocs): Namesakes {
  const docs = new Uint32Array(one.docs.length + other.docs.length);
  const ends: number[] = [];
  let count = 0;
  /** Takes the documents of the name at an index. Returns the index of the next name. */
  const take = (part: NamedDocs, from: number): number => {
    const { entries, names } = part;
    const first = entries[from]!;
    let last = first;
    let at = from;
    for (; at < entries.length; at++) {
      const entry = entries[at]!;
      if (entry !== last && !names.isFoldedAlike(first, entry)) break;
      last = entry;
      docs[count++] = part.docs[at]!;
    }
    return at;
  };
  for (let i = 0, j = 0; count < docs.length; ends.push(count)) {
    const order = compareNext(one, i, other, j);
    if (order <= 0) i = take(one, i);
    if (order >= 0) j = take(other, j);
  }
  return { docs, ends };
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
      for (const each of found) page.push(snapshot.find(each));
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

function compareNext(
  { entries, names }: NamedDocs,
  at: number,
  { entries: others, names: otherNames }: NamedDocs,
  otherAt: number,
): number {
  if (at === entries.length) return 1;
  if (otherAt === others.length) return -1;
  const entry = entries[at]!;
  const other = others[otherAt]!;
  return compareBytes(
    names.bytes,
    names.offsets[entry]!,
    names.foldedEnd(entry),
    otherNames.bytes,
    otherNames.offsets[other]!,
    otherNames.foldedEnd(other),
  );
}
