import { kindMask } from "../../snapshot/postings/kinds.ts";
import { itemsOf } from "../../snapshot/postings/postings.ts";
import { sortedDistinct } from "../../snapshot/bytes/sorted.ts";
import { DocFilter } from "./doc-filter.ts";
import { FEW_LISTED } from "./nearby.ts";
import { slotFilter, type SlotFilter } from "../filters/any-taxonomy-filter.ts";
import { countTaxonomies } from "../filters/taxonomy-filter.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { NumberSet } from "../../snapshot/bytes/bitset.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { NearbyFilter, ScopedNearby } from "./nearby-scoped.ts";
import type { Planning } from "../plan/plan.ts";
import type { Filters, NearbyQuery } from "../query.ts";

/** Resolves a nearby query with a scope of `any` against a snapshot that holds what it asks for. */
export function planNearby(
  { snapshot, taxonomyFilters, workspace }: Planning,
  query: NearbyQuery,
): ScopedNearby {
  const locations =
    query.locationScope === "any" ? snapshot.scopes.locations : null;
  if (query.locationScope === "any" && locations === null)
    throw new Error("The snapshot holds primary locations alone");
  const slots =
    query.taxonomyScope === "any"
      ? slotFilter(snapshot, taxonomyFilters, workspace, query)
      : null;
  const numbers =
    query.taxonomyScope === "any"
      ? null
      : taxonomyFilters.primary.numbers(query);
  const candidates =
    slots === null ? fewOf(snapshot, numbers) : fewInSlots(slots);
  return {
    query,
    locations,
    candidates,
    filter:
      slots === null || candidates !== null
        ? new DocFilter(snapshot, query, numbers)
        : new MemberFilter(snapshot, query, slots.matching()),
  };
}

/** Admits the members of a set that are of the kinds asked for. */
class MemberFilter implements NearbyFilter {
  readonly #kinds: Uint8Array;
  readonly #mask: number;
  readonly #members: NumberSet;

  constructor(
    { kinds }: Snapshot,
    { entityType, status }: Filters,
    members: NumberSet,
  ) {
    this.#kinds = kinds.column;
    this.#mask = kindMask(entityType, status);
    this.#members = members;
  }

  admits(doc: number): boolean {
    return (
      this.#members.has(doc) && ((this.#mask >>> this.#kinds[doc]!) & 1) === 1
    );
  }

  count(ranges: readonly NumberRange[]): number {
    let count = 0;
    for (const { from, to } of ranges)
      for (let doc = from; doc < to; doc++) if (this.admits(doc)) count++;
    return count;
  }
}

/** The documents of some primary taxonomies, where they are few. */
function fewOf(
  snapshot: Snapshot,
  numbers: Uint32Array | null,
): Uint32Array | null {
  if (numbers === null || countTaxonomies(snapshot, numbers) > FEW_LISTED)
    return null;
  const docs: number[] = [];
  for (const number of numbers)
    docs.push(...itemsOf(snapshot.taxonomyDocs, number));
  return Uint32Array.from(docs).sort();
}

function fewInSlots(slots: SlotFilter): Uint32Array | null {
  if (slots.bound > FEW_LISTED) return null;
  const docs: number[] = [];
  slots.eachList((items, from, to) => docs.push(...items.subarray(from, to)));
  return sortedDistinct(Uint32Array.from(docs));
}
