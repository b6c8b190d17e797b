/**
 * Concatenated words in UTF-8, to be copied into rows without creating strings. Quotes are already doubled, as in a
 * quoted CSV field.
 */
export class WordPool {
  readonly size: number;
  readonly #bytes: Uint8Array;
  readonly #ends: Uint32Array;

  constructor(words: readonly string[]) {
    const encoder = new TextEncoder();
    const encoded = words.map((word) =>
      encoder.encode(word.replaceAll('"', '""')),
    );
    this.size = words.length;
    this.#bytes = new Uint8Array(
      encoded.reduce((total, word) => total + word.length, 0),
    );
    this.#ends = new Uint32Array(words.length + 1);
    let end = 0;
    encoded.forEach((word, index) => {
      this.#bytes.set(word, end);
      end += word.length;
      this.#ends[index + 1] = end;
    });
  }

  /** Copies a word to `target` from `at`. Returns the end. */
  put(target: Uint8Array, at: number, word: number): number {
    const end = this.#ends[word + 1]!;
    let out = at;
    for (let from = this.#ends[word]!; from < end; from++)
      target[out++] = this.#bytes[from]!;
    return out;
  }
}
