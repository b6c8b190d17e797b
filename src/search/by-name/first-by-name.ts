import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import { lowerBound } from "../../snapshot/bytes/sorted.ts";
import type { Dictionary } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { MembersByName } from "./members-by-name.ts";
import {
  cutAt,
  mergedByName,
  type NamedDocs,
  type Namesakes,
} from "./namesakes.ts";

/** Four times as many documents are read as are enough if the set's names are like all names. */
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
  const entry = lowerBound(starts, target, 1, others);
  if (entry === others) return null;
  const cut = cutAt(lastNames, entry, organizations);
  if (starts[lastNames.count + cut.inOther]! - starts[others]! > most)
    return null;
  const merged = mergedByName(
    membersBefore(snapshot, set, lastNames, 0, cut.first),
    membersBefore(snapshot, set, organizations, lastNames.count, cut.inOther),
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
