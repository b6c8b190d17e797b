import { UntieredFilter } from "./untiered-filter.ts";
import { Tier, type TakeDocs, type Facts } from "./text-filter.ts";
import { lowerBound } from "../../snapshot/bytes/sorted.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { NamePairs } from "./name-pairs.ts";
import type { Workspace } from "../evaluate/workspace.ts";

/** Names that belong to documents: `owners` has the document of each name, ascending. */
export interface OwnedNames {
  readonly owners: Uint32Array;
  readonly pairs: NamePairs;
}

/** Finding a document's other names, and testing them if it has any. */
const OWNED_COST = 120;
const OWN_COST = 10;

/** One name of a document must match: that of its record, or one of the names that belong to it. */
export class OneNameFilter extends UntieredFilter {
  readonly key: string;
  readonly bound: number;
  readonly hasDisjointLists: boolean;
  readonly testCost: number;
  readonly #ofRecord: NamePairs | null;
  readonly #owned: OwnedNames | null;

  /** `which` distinguishes the names of providers, of officials, and of organizations. */
  constructor(
    workspace: Workspace,
    which: string,
    ofRecord: NamePairs | null,
    owned: OwnedNames | null,
  ) {
    super(workspace);
    this.#ofRecord = ofRecord;
    this.#owned = owned;
    this.key = `${which}: ${ofRecord?.key ?? ""}; ${owned?.pairs.key ?? ""}`;
    this.bound = (ofRecord?.bound ?? 0) + (owned?.pairs.bound ?? 0);
    this.hasDisjointLists = owned === null;
    this.testCost = OWN_COST + (owned === null ? 0 : OWNED_COST);
  }

  explain(): Facts {
    return {
      filter: "one name",
      of_the_record_at_most: this.#ofRecord?.bound ?? 0,
      other_names_at_most: this.#owned?.pairs.bound ?? 0,
    };
  }

  eachList(take: TakeDocs): void {
    this.#ofRecord?.eachList((items, from, to) =>
      take(items, from, to, Tier.wordPrefix),
    );
    this.#eachOwner((docs, count) => take(docs, 0, count, Tier.wordPrefix));
  }

  matches(doc: number): boolean {
    if (this.#ofRecord?.has(doc) === true) return true;
    if (this.#owned === null) return false;
    const { owners, pairs } = this.#owned;
    for (let at = lowerBound(owners, doc); owners[at] === doc; at++)
      if (pairs.has(at)) return true;
    return false;
  }

  protected override fill(set: BitSet): void {
    this.#ofRecord?.eachList((items, from, to) => set.addAll(items, from, to));
    this.#eachOwner((docs, count) => set.addAll(docs, 0, count));
  }

  /** Passes on documents with repetitions. */
  #eachOwner(take: (docs: Uint32Array, count: number) => void): void {
    if (this.#owned === null) return;
    const { owners, pairs } = this.#owned;
    pairs.eachList((items, from, to) => {
      const docs = new Uint32Array(to - from);
      for (let at = from; at < to; at++) docs[at - from] = owners[items[at]!]!;
      take(docs, docs.length);
    });
  }
}
