const NOTHING = new Uint8Array(0);
const NO_WORDS: Uint32Array = new Uint32Array(0);

/** Copies bytes from one array to another, four at a time if both places are multiples of four in their arrays. */
export class ByteCopier {
  /** The arrays of the last copy, and the same memory as words; the next one usually has the same. */
  #source: Uint8Array = NOTHING;
  #sourceWords: Uint32Array = NO_WORDS;
  #target: Uint8Array = NOTHING;
  #targetWords: Uint32Array = NO_WORDS;

  /** Copies `source[start, end)` to `target` from `to` on, which must have room. The arrays must not overlap. */
  copy(
    source: Uint8Array,
    start: number,
    end: number,
    target: Uint8Array,
    to: number,
  ): void {
    if (source !== this.#source) {
      this.#source = source;
      this.#sourceWords = wordsOf(source);
    }
    if (target !== this.#target) {
      this.#target = target;
      this.#targetWords = wordsOf(target);
    }
    let from = start;
    if (((start | to) & 3) === 0) {
      const words = this.#sourceWords;
      const targetWords = this.#targetWords;
      const room = Math.min(end >>> 2, words.length);
      const shift = (to - start) >> 2;
      let word = start >>> 2;
      if (room + shift <= targetWords.length)
        for (; word < room; word++) targetWords[word + shift] = words[word]!;
      from = word << 2;
    }
    const shift = to - start;
    for (; from < end; from++) target[from + shift] = source[from]!;
  }
}

/** Returns the whole words of an array; none if it starts inside of one. */
function wordsOf({ buffer, byteLength, byteOffset }: Uint8Array): Uint32Array {
  return byteOffset % 4 === 0
    ? new Uint32Array(buffer, byteOffset, byteLength >>> 2)
    : NO_WORDS;
}
