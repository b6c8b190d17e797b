import { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { ADDED_DOC, TAXONOMY_LOOK_UP } from "../evaluate/cost.ts";
import type { Workspace } from "../evaluate/workspace.ts";
import {
  Tier,
  type Membership,
  type TakeDocs,
  type Facts,
} from "./text-filter.ts";
import { UntieredFilter } from "./untiered-filter.ts";

/** The primary taxonomies of the filters `taxonomy` and `specialty`. */
export class PrimaryTaxonomies extends UntieredFilter {
  readonly bound: number;
  readonly hasDisjointLists = true;
  readonly testCost = TAXONOMY_LOOK_UP;
  readonly setCost: number;
  /** Ascending. */
  readonly numbers: Uint32Array;
  readonly #snapshot: Snapshot;
  #byColumn: Membership | undefined;

  constructor(snapshot: Snapshot, workspace: Workspace, numbers: Uint32Array) {
    super(workspace);
    const { items, starts } = snapshot.taxonomyDocs;
    this.#snapshot = snapshot;
    this.numbers = numbers;
    let bound = 0;
    for (const number of numbers)
      bound += starts[number + 1]! - starts[number]!;
    this.bound = bound;
    this.setCost = Math.min(bound, items.length - bound) * ADDED_DOC;
  }

  /** The bytes of the numbers as text: joining hundreds of numbers would take longer than some searches. */
  get key(): string {
    const { buffer, byteLength, byteOffset } = this.numbers;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    return `taxonomies ${bytes.toString("latin1")}`;
  }

  get byColumn(): Membership {
    const { taxonomies, taxonomy } = this.#snapshot;
    return (this.#byColumn ??= {
      set: BitSet.of(taxonomies.count + 1, this.numbers),
      column: taxonomy,
    });
  }

  explain(): Facts {
    return { taxonomies: this.numbers.length, documents: this.bound };
  }

  eachList(take: TakeDocs): void {
    const { items, starts } = this.#snapshot.taxonomyDocs;
    for (const number of this.numbers)
      take(items, starts[number]!, starts[number + 1]!, Tier.wordPrefix);
  }

  matches(doc: number): boolean {
    return this.byColumn.set.has(this.#snapshot.taxonomy[doc]!);
  }

  /** Fills it from the lists, or from those of all other taxonomies if that is less work. */
  protected override fill(set: BitSet): void {
    const { taxonomies, taxonomyDocs, withTaxonomy } = this.#snapshot;
    const { items, starts } = taxonomyDocs;
    if (this.bound * 2 <= items.length) {
      super.fill(set);
      return;
    }
    set.copy(withTaxonomy);
    for (let number = 1; number <= taxonomies.count; number++)
      if (!this.byColumn.set.has(number))
        set.removeAll(items, starts[number]!, starts[number + 1]!);
  }
}
