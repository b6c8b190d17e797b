import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { MiddleInitials } from "../../snapshot/names/middle-initials.ts";
import type { Workspace } from "../evaluate/workspace.ts";
import type { Facts } from "../facts.ts";
import { Tier, type TakeDocs } from "./text-filter.ts";
import { UntieredFilter } from "./untiered-filter.ts";

/** Individuals whose middle name starts with a letter. */
export class MiddleInitialFilter extends UntieredFilter {
  readonly key: string;
  readonly bound: number;
  readonly hasDisjointLists = true;
  readonly testCost = 3;
  readonly setCost: number;
  readonly #column: Uint8Array;
  readonly #initial: number;

  /** `initial` is not 0. */
  constructor(workspace: Workspace, initials: MiddleInitials, initial: number) {
    super(workspace);
    this.#column = initials.column;
    this.#initial = initial;
    this.key = `middle initial ${initial}`;
    this.setCost = initials.column.length;
    this.bound = initials.countOf(initial);
  }

  explain(): Facts {
    return { filter: this.key, documents: this.bound };
  }

  eachList(take: TakeDocs): void {
    const docs = this.matching().toArray();
    take(docs, 0, docs.length, Tier.wordPrefix);
  }

  matches(doc: number): boolean {
    return this.#column[doc] === this.#initial;
  }

  protected override fill({ bits }: BitSet): void {
    const column = this.#column;
    const initial = this.#initial;
    // Whole words without branches: three times as fast.
    for (let doc = 0; doc < column.length;) {
      const end = Math.min(doc + 32, column.length);
      let word = 0;
      for (; doc < end; doc++)
        word |= (((column[doc]! ^ initial) - 1) >>> 31) << (doc & 31);
      bits[(end - 1) >>> 5] = word;
    }
  }
}
