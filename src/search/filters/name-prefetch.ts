import type { NameIndex } from "../../snapshot/names/name-index.ts";

/** So many documents' names are read together. */
export const CHUNK = 256;

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
