import { kindMask } from "../../snapshot/postings/kinds.ts";
import type { Facts } from "../facts.ts";
import { Tier, type TakeDocs } from "./text-filter.ts";
import { UntieredFilter } from "./untiered-filter.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import type { Workspace } from "../evaluate/workspace.ts";

/** A filter for a prefix of a field. Its matches are a range of the field's dictionary. */
export class PrefixFilter extends UntieredFilter {
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
    super(workspace);
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

  matches(doc: number): boolean {
    const number = this.#column[doc]!;
    return number >= this.range.from && number < this.range.to;
  }
}
