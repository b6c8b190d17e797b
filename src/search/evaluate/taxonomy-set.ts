import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { countTaxonomies } from "../filters/taxonomy-filter.ts";
import { ADDED_DOC } from "./cost.ts";
import type { Workspace } from "./workspace.ts";

/** What making the set of some taxonomies is estimated to take, in nanoseconds, about. */
export function taxonomySetCost(
  snapshot: Snapshot,
  numbers: Uint32Array,
): number {
  const count = countTaxonomies(snapshot, numbers);
  return (
    Math.min(count, countWithTaxonomy(snapshot.taxonomyDocs) - count) *
    ADDED_DOC
  );
}

/**
 * The set of some taxonomies, if it exists, or if making it is less work than what searches have spent without it,
 * including `cost` for this one; otherwise null.
 */
export function worthwhileTaxonomySet(
  snapshot: Snapshot,
  numbers: Uint32Array,
  cost: number,
  workspace: Workspace,
): BitSet | null {
  const key = keyOf(numbers);
  return workspace.has(key) ||
    workspace.spend(key, cost) > taxonomySetCost(snapshot, numbers)
    ? taxonomySet(snapshot, numbers, workspace)
    : null;
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
    if (count * 2 <= countWithTaxonomy(taxonomyDocs)) {
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

/** The bytes of the numbers as text: joining hundreds of numbers would take longer than some searches. */
function keyOf({ buffer, byteLength, byteOffset }: Uint32Array): string {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return `taxonomies ${bytes.toString("latin1")}`;
}

/** How many documents have a taxonomy. */
function countWithTaxonomy({ items }: Postings): number {
  return items.length;
}
