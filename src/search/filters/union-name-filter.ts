import { withRoom } from "../../snapshot/bytes/growable.ts";
import {
  Tier,
  type TakeDocs,
  type TextFilter,
  type Facts,
} from "./text-filter.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { OtherNames } from "../../snapshot/extended/other-names.ts";
import type { ExactRule } from "./exact-name.ts";
import type { Workspace } from "../evaluate/workspace.ts";

/** Finding a document's other names, and testing them if it has any. */
const OTHERS_COST = 150;

/** A filter that the name of the record or another name must match. The best match decides the tier. */
export class UnionNameFilter implements TextFilter {
  readonly key: string;
  readonly bound: number;
  readonly hasDisjointLists = false;
  readonly hasTiers: boolean;
  readonly testCost: number;
  readonly #ofRecord: TextFilter;
  /** The same filter, on other names instead of documents. */
  readonly #other: TextFilter;
  readonly #names: OtherNames;
  readonly #workspace: Workspace;

  constructor(
    ofRecord: TextFilter,
    other: TextFilter,
    names: OtherNames,
    workspace: Workspace,
  ) {
    this.#ofRecord = ofRecord;
    this.#other = other;
    this.#names = names;
    this.#workspace = workspace;
    this.key = `${ofRecord.key} or ${other.key}`;
    this.bound = ofRecord.bound + other.bound;
    this.testCost = ofRecord.testCost + OTHERS_COST;
    this.hasTiers = ofRecord.hasTiers;
  }

  explain(): Facts {
    return {
      filter: "name of the record or other name",
      of_the_record: this.#ofRecord.explain(),
      other_names: this.#other.explain(),
    };
  }

  eachList(take: TakeDocs, within?: NumberRange): void {
    const prefixed = this.#ownersOf(Tier.wordPrefix);
    take(prefixed, 0, prefixed.length, Tier.wordPrefix);
    this.#ofRecord.eachList(take, within);
    const others = this.#ownersOf(Tier.substring);
    take(others, 0, others.length, Tier.substring);
  }

  tiersOf(docs: Uint32Array, count: number, tiers: Uint8Array): void {
    this.#ofRecord.tiersOf(docs, count, tiers);
    let names: Uint32Array = new Uint32Array(0);
    let places: Uint32Array = new Uint32Array(0);
    let listed = 0;
    for (let i = 0; i < count; i++) {
      if (tiers[i] === Tier.wordPrefix) continue;
      const { from, to } = this.#names.ofDoc(docs[i]!);
      names = withRoom(names, listed + to - from);
      places = withRoom(places, listed + to - from);
      for (let name = from; name < to; name++) {
        names[listed] = name;
        places[listed++] = i;
      }
    }
    const others = new Uint8Array(listed);
    this.#other.tiersOf(names, listed, others);
    for (let at = 0; at < listed; at++) {
      const i = places[at]!;
      if (others[at]! < tiers[i]!) tiers[i] = others[at]!;
    }
  }

  isReady(): boolean {
    return this.#workspace.has(this.key);
  }

  isBeginningReady(): boolean {
    return this.#workspace.has(this.#beginningKey);
  }

  matching(): BitSet {
    return this.#workspace.made(this.key, (set) => {
      set.copy(this.#ofRecord.matching());
      this.#addOwners(set, Tier.substring);
    });
  }

  startingWith(): BitSet {
    return this.#workspace.made(this.#beginningKey, (set) => {
      set.copy(this.#ofRecord.startingWith());
      this.#addOwners(set, Tier.wordPrefix);
    });
  }

  get #beginningKey(): string {
    return `${this.key} prefix`;
  }

  /** Adds the documents with other names in a tier or a better one. */
  #addOwners(set: BitSet, worst: number): void {
    const { owners } = this.#names;
    this.#other.eachList((items, from, to, tier) => {
      if (tier > worst) return;
      for (let at = from; at < to; at++) set.add(owners[items[at]!]!);
    });
  }

  /** Lists the documents with other names in a tier, with repetitions. */
  #ownersOf(wanted: number): Uint32Array {
    let docs: Uint32Array = new Uint32Array(0);
    let count = 0;
    this.#other.eachList((items, from, to, tier) => {
      if (tier !== wanted) return;
      docs = withRoom(docs, count + to - from);
      appendOwners(this.#names, items, from, to, docs, count);
      count += to - from;
    });
    return docs.subarray(0, count);
  }
}

/** A rule that the name of the record or another name must meet. */
export class UnionNameRule implements ExactRule {
  readonly bound: number;
  readonly #ofRecord: ExactRule;
  /** The same rule, on other names instead of documents. */
  readonly #other: ExactRule;
  readonly #names: OtherNames;

  constructor(ofRecord: ExactRule, other: ExactRule, names: OtherNames) {
    this.#ofRecord = ofRecord;
    this.#other = other;
    this.#names = names;
    this.bound = ofRecord.bound + other.bound;
  }

  has(doc: number): boolean {
    if (this.#ofRecord.has(doc)) return true;
    const { from, to } = this.#names.ofDoc(doc);
    for (let name = from; name < to; name++)
      if (this.#other.has(name)) return true;
    return false;
  }

  eachList(take: (items: Uint32Array, from: number, to: number) => void): void {
    this.#ofRecord.eachList(take);
    this.#other.eachList((items, from, to) => {
      const docs = new Uint32Array(to - from);
      appendOwners(this.#names, items, from, to, docs, 0);
      take(docs, 0, docs.length);
    });
  }
}

/** Writes the documents of names to `docs`. */
function appendOwners(
  { owners }: OtherNames,
  names: Uint32Array,
  from: number,
  to: number,
  docs: Uint32Array,
  at: number,
): void {
  for (let i = from; i < to; i++) docs[at + i - from] = owners[names[i]!]!;
}
