import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { countTaxonomies } from "../filters/taxonomy-filter.ts";
import { ADDED_DOC } from "./cost.ts";
import type { Workspace } from "./workspace.ts";

/** What the set of some taxonomies is estimated to take, in nanoseconds, about. Without a workspace, it isn't made yet. */
export function taxonomySetCost(
  snapshot: Snapshot,
  numbers: Uint32Array,
  workspace: Workspace | null = null,
): number {
  if (workspace?.has(keyOf(numbers)) === true) return 0;
  const count = countTaxonomies(snapshot, numbers);
  return Math.min(count, docCount(snapshot.taxonomyDocs) - count) * ADDED_DOC;
}

/** The documents with some taxonomies, made from the lists of these, or of all others if that is less work. */
export function taxonomySet(
  snapshot: Snapshot,
  numbers: Uint32Array,
  workspace: Workspace,
): BitSet {
  const { taxonomies, taxonomyDocs } = snapshot;
  const { items, starts } = taxonomyDocs;
  return workspace.made(keyOf(numbers), (set) => {
    const count = countTaxonomies(snapshot, numbers);
    if (count * 2 <= docCount(taxonomyDocs)) {
      for (const number of numbers)
        set.addAll(items, starts[number]!, starts[number + 1]!);
      return;
    }
    set.copy(snapshot.withTaxonomy);
    const listed = new Set(numbers);
    for (let number = 1; number <= taxonomies.count; number++)
      if (!listed.has(number))
        set.removeAll(items, starts[number]!, starts[number + 1]!);
  });
}

function keyOf(numbers: Uint32Array): string {
  return `taxonomies ${numbers.join(" ")}`;
}

function docCount({ items }: Postings): number {
  return items.length;
}
