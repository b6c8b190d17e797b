import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { UpdatedDays } from "../../snapshot/postings/updated-days.ts";
import type { Workspace } from "../evaluate/scratch.ts";
import {
  NO_MATCH,
  Tier,
  type TakeDocs,
  type TextFilter,
} from "./text-filter.ts";

/** Records that were last updated on a day or later. It makes no tiers. */
export class UpdatedFilter implements TextFilter {
  readonly key: string;
  readonly bound: number;
  readonly hasDisjointLists = true;
  readonly testCost = 3;
  readonly #workspace: Workspace;
  readonly #days: UpdatedDays;
  readonly #since: number;
  /** Where in the documents by day those begin that match: all behind them do. */
  readonly #from: number;

  /** `since` is a day number, and not 0. */
  constructor(workspace: Workspace, days: UpdatedDays, since: number) {
    const { items, starts } = days.docs;
    this.#workspace = workspace;
    this.#days = days;
    this.#since = since;
    this.#from = starts[since] ?? items.length;
    this.key = `updated ${since}`;
    this.bound = items.length - this.#from;
  }

  eachList(take: TakeDocs): void {
    const { items } = this.#days.docs;
    take(items, this.#from, items.length, Tier.wordPrefix);
  }

  tiersOf(docs: Uint32Array, count: number, tiers: Uint8Array): void {
    const { column } = this.#days;
    for (let i = 0; i < count; i++)
      tiers[i] = column[docs[i]!]! >= this.#since ? Tier.wordPrefix : NO_MATCH;
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

  beginning(): BitSet {
    return this.matching();
  }
}
