import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import { lowerBound } from "../../snapshot/bytes/sorted.ts";
import type { Dictionary } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { MembersByName } from "./name-part.ts";
import { mergedByName, type NamedDocs, type Namesakes } from "./namesakes.ts";

/** This many times as many documents are read as are enough if the set's names are like all names. */
const MARGIN = 4;
/** At most this share of the set's size is read of each dictionary. Counting the names reads all of the set. */
const MOST_READ = 1 / 16;

/**
 * The first documents of a set with `total` members by name, at least `end` of them: the first documents of all are
 * looked up in the set. Null if that would take too long, or if too few of them are in the set.
 */
export function firstByName(
  snapshot: Snapshot,
  set: BitSet,
  total: number,
  end: number,
): Namesakes | null {
  const { count, lastNames, nameDocs, organizations } = snapshot;
  const { starts } = nameDocs;
  const others = lastNames.count + 1;
  const first = starts[1]!;
  const people = starts[others]! - first;
  const named = starts[others + organizations.count]! - first;
  const read = (MARGIN * end * count) / total;
  const most = total * MOST_READ;
  if (read > most) return null;
  const target = first + Math.ceil((read * people) / named);
  let last = lowerBound(starts, target, 1, others);
  if (last === others) return null;
  while (last > 1 && lastNames.isFoldedAlike(last - 1, last)) last--;
  const folded = lastNames.bytes.subarray(
    lastNames.offsets[last],
    lastNames.foldedEnd(last),
  );
  const other = organizations.firstEntryFrom(folded);
  if (starts[lastNames.count + other]! - starts[others]! > most) return null;
  const merged = mergedByName(
    membersBefore(snapshot, set, lastNames, 0, last),
    membersBefore(snapshot, set, organizations, lastNames.count, other),
  );
  return merged.docs.length < end ? null : merged;
}

/** The documents of a set with the names before an entry. The number of an entry is `base` more. */
function membersBefore(
  { nameDocs }: Snapshot,
  set: BitSet,
  names: Dictionary,
  base: number,
  entry: number,
): NamedDocs {
  const { starts } = nameDocs;
  const most = starts[base + entry]! - starts[base + 1]!;
  const members = new MembersByName(nameDocs, set, names, base, most);
  members.add(base + 1, base + entry);
  return members.found;
}
