import { BitSet } from "../../snapshot/bytes/bitset.ts";
import { CandidateList } from "./candidate-list.ts";
import type { NameIndex } from "../../snapshot/names/name-index.ts";

/** The number of sets that are kept for later searches: a megabyte each for the whole registry. */
const KEPT_SETS = 24;
/** Names of this many documents are read together. */
export const CHUNK = 256;

/**
 * Memory that one thread reuses for all searches, so a search with millions of matches allocates nothing. Everything it
 * returns is valid until the next search starts.
 */
export class Workspace {
  readonly docCount: number;
  /** Empty, except while documents are compared. */
  readonly seen: BitSet;
  readonly list: CandidateList;
  readonly names: NameChunk;
  readonly #scratch: BitSet[] = [];
  #scratchTaken = 0;
  /** The least recently used one comes first. */
  readonly #made = new Map<string, BitSet>();
  /** Unused sets. */
  readonly #free: BitSet[] = [];

  constructor(index: NameIndex) {
    this.docCount = index.count;
    this.seen = new BitSet(index.count);
    this.list = new CandidateList(index.count, this.seen);
    this.names = new NameChunk(index);
  }

  /** Starts a search. */
  begin(): void {
    this.#scratchTaken = 0;
    for (const [key, set] of this.#made) {
      if (this.#made.size <= KEPT_SETS) break;
      this.#made.delete(key);
      if (this.#free.length < KEPT_SETS) this.#free.push(set);
    }
  }

  /** Returns a set of documents with arbitrary contents. */
  scratch(): BitSet {
    const at = this.#scratchTaken++;
    return (this.#scratch[at] ??= new BitSet(this.docCount));
  }

  /** True if `made` has the set of a key already. */
  has(key: string): boolean {
    return this.#made.has(key);
  }

  /** Returns the set of a key. Unless it is kept, `fill` builds it from an empty one. */
  made(key: string, fill: (set: BitSet) => void): BitSet {
    const known = this.#made.get(key);
    this.#made.delete(key);
    const set = known ?? this.#make(fill);
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
 * The names of some documents, as numbers. The documents of a search are far apart in memory, and so are the texts of
 * their names: each step is done for all of them before the next one, so the processor can wait for several reads at a
 * time.
 */
export class NameChunk {
  /** Values of the columns. */
  readonly numbers = new Uint32Array(CHUNK);
  readonly firsts = new Uint32Array(CHUNK);
  readonly #index: NameIndex;
  readonly #nameStarts = new Uint32Array(CHUNK);
  readonly #firstStarts = new Uint32Array(CHUNK);
  readonly #touched = new Uint8Array(CHUNK);

  constructor(index: NameIndex) {
    this.#index = index;
  }

  /** Reads the names of the documents at `from` to `from + size` - 1, and loads their texts. */
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
