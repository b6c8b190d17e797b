import { orderByKey, sortedBy } from "../../snapshot/bytes/radix-sort.ts";
import { lowerBound } from "../../snapshot/bytes/sorted.ts";
import type { Dictionary } from "../../snapshot/dictionary/dictionary.ts";
import { compareEntries } from "../../snapshot/names/name-order.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";

/** Sorts a list of documents as the stored order has them. */
export function sortedByName(
  snapshot: Snapshot,
  docs: Uint32Array,
): Uint32Array {
  const { firstName, firstNames, lastNames, name, npi, organizations } =
    snapshot;
  const base = lastNames.count;
  const npis = docs.map((doc) => npi[doc]!);
  const firsts = docs.map((doc) => firstAlike(firstNames, firstName[doc]!, 0));
  const names = docs.map((doc) => {
    const number = name[doc]!;
    return number > base
      ? base + firstAlike(organizations, number - base, 1)
      : firstAlike(lastNames, number, 1);
  });
  const byNpi = orderByKey(npis, docs.length);
  const order = sortedBy(names, sortedBy(firsts, byNpi));
  const sortedNames = order.map((index) => names[index]!);
  const people = lowerBound(sortedNames, 1);
  const others = lowerBound(sortedNames, base + 1);
  const compare = (person: number, other: number): number =>
    compareEntries(
      lastNames,
      names[person]!,
      organizations,
      names[other]! - base,
    ) ||
    firsts[person]! - firsts[other]! ||
    npis[person]! - npis[other]!;
  const sorted = new Uint32Array(docs.length);
  let count = 0;
  for (let i = people, j = others; i < others || j < order.length;) {
    const isPersonNext =
      j === order.length || (i < others && compare(order[i]!, order[j]!) < 0);
    sorted[count++] = docs[order[isPersonNext ? i++ : j++]!]!;
  }
  // Number 0 stands for no name.
  for (let i = 0; i < people; i++) sorted[count++] = docs[order[i]!]!;
  return sorted;
}

/** Finds the first entry from `least` on that is compared like an entry. */
function firstAlike(names: Dictionary, entry: number, least: 0 | 1): number {
  let first = entry;
  while (first > least && names.isFoldedAlike(first - 1, first)) first--;
  return first;
}
