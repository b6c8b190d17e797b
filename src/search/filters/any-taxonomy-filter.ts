import { lowerBound } from "../../snapshot/bytes/sorted.ts";
import { itemsOf, type Postings } from "../../snapshot/postings/postings.ts";
import { BitSet } from "../../snapshot/bytes/bitset.ts";
import { Tier, type TakeDocs, type Facts } from "./text-filter.ts";
import { UntieredFilter } from "./untiered-filter.ts";
import type { TaxonomySlots } from "../../snapshot/extended/taxonomy-slots.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { Workspace } from "../evaluate/workspace.ts";

/** Looking up a document's primary taxonomy, and the document in the list of a slot's taxonomy. */
const COLUMN_COST = 5;
const LIST_COST = 60;

/** The taxonomies of the filters `taxonomy` and `specialty`, in any slot. */
export class AnyTaxonomyFilter extends UntieredFilter {
  readonly key: string;
  readonly bound: number;
  readonly hasDisjointLists = false;
  readonly testCost: number;
  readonly #column: Uint16Array;
  readonly #primary: BitSet;
  /** Lists of documents, not empty: those of primary taxonomies, and those of other slots. */
  readonly #primaryLists: readonly Uint32Array[];
  readonly #slotLists: readonly Uint32Array[];

  /** Takes numbers of primary taxonomies, and numbers of taxonomies in other slots. */
  constructor(
    { taxonomies, taxonomy, taxonomyDocs }: Snapshot,
    slots: TaxonomySlots,
    workspace: Workspace,
    primary: Uint32Array,
    others: Uint32Array,
  ) {
    super(workspace);
    this.key = `slots ${primary.join(" ")}, ${others.join(" ")}`;
    this.#column = taxonomy;
    this.#primary = BitSet.of(taxonomies.count + 1, primary);
    this.#primaryLists = listsOf(taxonomyDocs, primary);
    this.#slotLists = listsOf(slots.taxonomyDocs, others);
    this.bound = this.#primaryLists
      .concat(this.#slotLists)
      .reduce((sum, { length }) => sum + length, 0);
    this.testCost = COLUMN_COST + this.#slotLists.length * LIST_COST;
  }

  explain(): Facts {
    return {
      filter: "taxonomy in any slot",
      primary_taxonomies: this.#primaryLists.length,
      taxonomies_of_other_slots: this.#slotLists.length,
      documents: this.bound,
    };
  }

  eachList(take: TakeDocs): void {
    for (const lists of [this.#primaryLists, this.#slotLists])
      for (const list of lists) take(list, 0, list.length, Tier.wordPrefix);
  }

  matches(doc: number): boolean {
    return (
      this.#primary.has(this.#column[doc]!) ||
      this.#slotLists.some((list) => list[lowerBound(list, doc)] === doc)
    );
  }
}

function listsOf(postings: Postings, numbers: Uint32Array): Uint32Array[] {
  return Array.from(numbers, (number) => itemsOf(postings, number)).filter(
    ({ length }) => length > 0,
  );
}
