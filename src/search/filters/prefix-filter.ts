import { kindMask } from "../../snapshot/postings/kinds.ts";
import { Tier, type TakeDocs, type Facts } from "./text-filter.ts";
import { UntieredFilter } from "./untiered-filter.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { NameIndex } from "../../snapshot/names/name-index.ts";
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
  readonly field: "first" | "last";
  /** The numbers of the field's entries that match. */
  readonly range: NumberRange;
  readonly #column: Uint32Array;

  /** Folding drops a trailing `*`, the registry's sign for a prefix search. Every value is a prefix here anyway. */
  constructor(
    workspace: Workspace,
    index: NameIndex,
    field: "first" | "last",
    value: string,
  ) {
    super(workspace);
    const [column, { items, starts }, dictionary] =
      field === "first"
        ? [index.firstName, index.firstNameDocs, index.firstNames]
        : [index.name, index.nameDocs, index.lastNames];
    const folded = Buffer.from(dictionary.folding.fold(value));
    const range = dictionary.withPrefix(folded);
    // Those of the whole value come first.
    const others = starts[dictionary.equalTo(folded).to];
    this.field = field;
    this.key = `${field} ${range.from} ${range.to}`;
    this.range = range;
    this.#column = column;
    this.exact = items.subarray(starts[range.from], others);
    this.others = items.subarray(others, starts[range.to]);
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
    for (const docs of [this.exact, this.others])
      take(docs, 0, docs.length, Tier.wordPrefix);
  }

  matches(doc: number): boolean {
    const number = this.#column[doc]!;
    return number >= this.range.from && number < this.range.to;
  }
}
