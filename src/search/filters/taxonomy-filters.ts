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
import { lowerBound } from "../../snapshot/bytes/sorted.ts";
import { itemsOf, type Postings } from "../../snapshot/postings/postings.ts";
import type { TaxonomySlots } from "../../snapshot/extended/taxonomy-slots.ts";
import { fold, words } from "../../text/fold.ts";
import { commonCodesOf, singularsOf } from "../aliases/common-specialties.ts";

/** The conditions for a taxonomy; null for any. */
export interface TaxonomyCriteria {
  /** In upper case. */
  code: string | null;
  /** Folded. Each word must be in the display name. */
  specialty: string | null;
  /** True if the specialty can be everyday words: they stand for codes, and for names that have them as whole words. */
  takesCommonWords: boolean;
}

/** Resolves the filters `taxonomy` and `specialty` to numbers of taxonomies. */
export class TaxonomyFilter {
  readonly #codes: readonly string[];
  readonly #foldedNames: readonly string[];

  constructor({
    taxonomies,
    taxonomyNames,
  }: Pick<Snapshot, "taxonomies" | "taxonomyNames">) {
    this.#codes = taxonomyNames.map(
      (_, number) => taxonomies.spelling(number)?.toUpperCase() ?? "",
    );
    this.#foldedNames = taxonomyNames.map((name) => fold(name ?? ""));
  }

  /** Finds the numbers of codes in upper case, ascending. */
  ofCodes(codes: ReadonlySet<string>): Uint32Array {
    const numbers = this.#codes.map((code, number) =>
      number > 0 && codes.has(code) ? number : 0,
    );
    return Uint32Array.from(numbers.filter((number) => number > 0));
  }

  /** Finds the numbers that match, ascending. */
  numbers(criteria: TaxonomyCriteria): Uint32Array {
    const { code } = criteria;
    const specialty = criteria.specialty ?? "";
    const common = criteria.takesCommonWords ? commonCodesOf(specialty) : null;
    const parts = words(specialty);
    // As whole words: ENT is in DENTIST.
    const wholes = [specialty, ...singularsOf(specialty)];
    const matching: number[] = [];
    for (let number = 1; number < this.#codes.length; number++) {
      const taxonomyCode = this.#codes[number]!;
      if (code !== null && taxonomyCode !== code) continue;
      const name = this.#foldedNames[number]!;
      const isMatch =
        common === null
          ? parts.every((part) => name.includes(part))
          : common.has(taxonomyCode) ||
            wholes.some((whole) => ` ${name} `.includes(` ${whole} `));
      if (isMatch) matching.push(number);
    }
    return Uint32Array.from(matching);
  }
}

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
