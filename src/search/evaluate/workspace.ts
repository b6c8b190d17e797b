import { BitSet } from "../../snapshot/bytes/bitset.ts";
import { DocList } from "./candidate-list.ts";
import { NameChunk } from "../filters/name-prefetch.ts";
import type { NameIndex } from "../../snapshot/names/name-index.ts";

/** So many sets that were made for searches are kept for the next ones: a megabyte each at full scale. */
const KEPT_SETS = 24;

/**
 * Memory that search after search of one thread uses again, so that a search with millions of matches allocates nothing.
 * What it hands out holds until the next search begins.
 */
export class Workspace {
  readonly docCount: number;
  readonly list: DocList;
  readonly names: NameChunk;
  readonly #scratch: BitSet[] = [];
  #scratchTaken = 0;
  /** The one used longest ago comes first. */
  readonly #made = new Map<string, BitSet>();
  /** Sets of no use now. */
  readonly #free: BitSet[] = [];

  constructor(index: NameIndex) {
    this.docCount = index.count;
    this.list = new DocList(index.count);
    this.names = new NameChunk(index);
  }

  /** Begins a search. */
  begin(): void {
    this.#scratchTaken = 0;
    for (const [key, set] of this.#made) {
      if (this.#made.size <= KEPT_SETS) break;
      this.#made.delete(key);
      if (this.#free.length < KEPT_SETS) this.#free.push(set);
    }
  }

  /** A set of documents that may hold anything. */
  scratch(): BitSet {
    const at = this.#scratchTaken++;
    return (this.#scratch[at] ??= new BitSet(this.docCount));
  }

  /** Whether `made` would not have to make the set. */
  has(key: string): boolean {
    return this.#made.has(key);
  }

  /** The set of a key, which `fill` makes of an empty one unless it is kept. */
  made(key: string, fill: (set: BitSet) => void): BitSet {
    const kept = this.#made.get(key);
    this.#made.delete(key);
    const set = kept ?? this.#make(fill);
    this.#made.set(key, set);
    return set;
  }

  #make(fill: (set: BitSet) => void): BitSet {
    const set = this.#free.pop() ?? new BitSet(this.docCount);
    set.clear();
    fill(set);
    return set;
  }
}
