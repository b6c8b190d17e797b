import { kindMask } from "../../snapshot/postings/kinds.ts";
import type { Facts } from "../facts.ts";
import {
  Tier,
  NO_MATCH,
  type TakeDocs,
  type TextFilter,
} from "./text-filter.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import type { Workspace } from "../evaluate/workspace.ts";

/** A filter for a prefix of a field. Its matches are a range of the field's dictionary. */
export class PrefixFilter implements TextFilter {
  readonly bound: number;
  readonly hasDisjointLists = true;
  readonly testCost = 10;
  readonly kinds = kindMask("individual", undefined);
  readonly key: string;
  /** The documents whose whole field is the value, and those that only start with it; in any order. */
  readonly exact: Uint32Array;
  readonly others: Uint32Array;
  /** The name of the column, and its numbers that match. */
  readonly field: string;
  readonly range: NumberRange;
  readonly #postings: Postings;
  readonly #column: Uint32Array;
  readonly #workspace: Workspace;

  /**
   * `field` names the column, `range` has its numbers that match, `exact` those of the whole value, which come first.
   */
  constructor(
    workspace: Workspace,
    field: string,
    column: Uint32Array,
    postings: Postings,
    range: NumberRange,
    exact: NumberRange,
  ) {
    this.#workspace = workspace;
    this.field = field;
    this.key = `${field} ${range.from} ${range.to}`;
    this.#column = column;
    this.range = range;
    this.#postings = postings;
    const { items, starts } = postings;
    this.exact = items.subarray(starts[range.from], starts[exact.to]);
    this.others = items.subarray(starts[exact.to], starts[range.to]);
    this.bound = this.exact.length + this.others.length;
  }

  explain(): Facts {
    const { from, to } = this.range;
    return {
      filter: `prefix of the ${this.field} name`,
      dictionary_range: { from, to, entries: to - from },
      documents: this.bound,
      documents_with_the_whole_name: this.exact.length,
    };
  }

  eachList(take: TakeDocs): void {
    const { items, starts } = this.#postings;
    const { from, to } = this.range;
    take(items, starts[from]!, starts[to]!, Tier.wordPrefix);
  }

  tiersOf(docs: Uint32Array, count: number, tiers: Uint8Array): void {
    const column = this.#column;
    const { from, to } = this.range;
    for (let i = 0; i < count; i++) {
      const number = column[docs[i]!]!;
      tiers[i] = number >= from && number < to ? Tier.wordPrefix : NO_MATCH;
    }
  }

  isReady(): boolean {
    return this.#workspace.has(this.key);
  }

  isBeginningReady(): boolean {
    return this.isReady();
  }

  matching(): BitSet {
    return this.#workspace.made(this.key, (set) =>
      this.eachList((items, from, to) => set.addAll(items, from, to)),
    );
  }

  startingWith(): BitSet {
    return this.matching();
  }
}
