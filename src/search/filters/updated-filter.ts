import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import { isoDate } from "../../text/dates.ts";
import type { Facts } from "../facts.ts";
import type { UpdatedDays } from "../../snapshot/postings/updated-days.ts";
import type { Workspace } from "../evaluate/workspace.ts";
import { Tier, type TakeDocs } from "./text-filter.ts";
import { UntieredFilter } from "./untiered-filter.ts";

/** Records last updated on or after a day. Has no tiers. */
export class UpdatedFilter extends UntieredFilter {
  readonly key: string;
  readonly bound: number;
  readonly hasDisjointLists = true;
  readonly testCost = 3;
  readonly setCost: number;
  readonly #column: Uint16Array;
  readonly #since: number;

  /** `since` is a day number other than 0. */
  constructor(workspace: Workspace, days: UpdatedDays, since: number) {
    super(workspace);
    this.#column = days.days;
    this.#since = since;
    this.key = `updated ${since}`;
    this.setCost = days.days.length;
    this.bound = days.countSince(since);
  }

  explain(): Facts {
    return {
      filter: `updated on or after ${isoDate(this.#since)}`,
      documents: this.bound,
    };
  }

  eachList(take: TakeDocs): void {
    const docs = this.matching().toArray();
    take(docs, 0, docs.length, Tier.wordPrefix);
  }

  matches(doc: number): boolean {
    return this.#column[doc]! >= this.#since;
  }

  protected override fill({ bits }: BitSet): void {
    const column = this.#column;
    const last = this.#since - 1;
    // Whole words without branches: three times as fast.
    for (let doc = 0; doc < column.length;) {
      const end = Math.min(doc + 32, column.length);
      let word = 0;
      for (; doc < end; doc++)
        word |= ((last - column[doc]!) >>> 31) << (doc & 31);
      bits[(end - 1) >>> 5] = word;
    }
  }
}
