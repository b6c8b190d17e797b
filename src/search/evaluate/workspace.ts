import { BitSet } from "../../snapshot/bytes/bitset.ts";
import { DocList } from "./candidate-list.ts";
import type { NameIndex } from "../../snapshot/names/name-index.ts";

/** So many sets that were made for searches are kept for the next ones: a megabyte each at full scale. */
const KEPT_SETS = 24;
/** So many documents' names are read together. */
export const CHUNK = 256;

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

/**
 * The names of some documents, as numbers. Documents of a search lie far apart, and so do their names' texts: each step is
 * taken for all of them before the next one, so that the processor waits for several memory reads at a time.
 */
export class NameChunk {
  /** As in the columns. */
  readonly numbers = new Uint32Array(CHUNK);
  readonly firsts = new Uint32Array(CHUNK);
  readonly #index: NameIndex;
  readonly #nameStarts = new Uint32Array(CHUNK);
  readonly #firstStarts = new Uint32Array(CHUNK);
  readonly #touched = new Uint8Array(CHUNK);

  constructor(index: NameIndex) {
    this.#index = index;
  }

  /** Reads the names of the documents at `from` to `from + size` - 1, and brings their texts near. */
  read(docs: Uint32Array, from: number, size: number): void {
    const { firstName, firstNames, lastNames, name, organizations } =
      this.#index;
    const { firsts, numbers } = this;
    const nameStarts = this.#nameStarts;
    const firstStarts = this.#firstStarts;
    const touched = this.#touched;
    const lastCount = lastNames.count;
    for (let i = 0; i < size; i++) {
      const doc = docs[from + i]!;
      numbers[i] = name[doc]!;
      firsts[i] = firstName[doc]!;
    }
    for (let i = 0; i < size; i++) {
      const number = numbers[i]!;
      nameStarts[i] =
        number > lastCount
          ? organizations.offsets[number - lastCount]!
          : lastNames.offsets[number]!;
      firstStarts[i] = firstNames.offsets[firsts[i]!]!;
    }
    for (let i = 0; i < size; i++) {
      const texts =
        numbers[i]! > lastCount ? organizations.bytes : lastNames.bytes;
      touched[i] = texts[nameStarts[i]!]! ^ firstNames.bytes[firstStarts[i]!]!;
    }
  }
}
