import {
  NO_MATCH,
  Tier,
  type TakeDocs,
  type TextFilter,
  type Facts,
} from "./text-filter.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Workspace } from "../evaluate/workspace.ts";

/** A filter without tiers. It lists its documents and tests single ones; sets and tiers follow from that. */
export abstract class UntieredFilter implements TextFilter {
  abstract readonly key: string;
  abstract readonly bound: number;
  abstract readonly hasDisjointLists: boolean;
  abstract readonly testCost: number;
  readonly hasTiers = false;
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  abstract explain(): Facts;
  /** Passes on lists that together contain all matches. */
  abstract eachList(take: TakeDocs): void;
  abstract matches(doc: number): boolean;

  tiersOf(docs: Uint32Array, count: number, tiers: Uint8Array): void {
    for (let i = 0; i < count; i++)
      tiers[i] = this.matches(docs[i]!) ? Tier.wordPrefix : NO_MATCH;
  }

  isReady(): boolean {
    return this.#workspace.has(this.key);
  }

  isBeginningReady(): boolean {
    return this.isReady();
  }

  matching(): BitSet {
    return this.#workspace.made(this.key, (set) => this.fill(set));
  }

  startingWith(): BitSet {
    return this.matching();
  }

  /** Adds all matches to a set. */
  protected fill(set: BitSet): void {
    this.eachList((items, from, to) => set.addAll(items, from, to));
  }
}
