const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const BYTES_A_UNIT = 3;

/** Texts by number in compact memory: four bytes each in addition to the text. */
export class TextList {
  #bytes = new Uint8Array(1 << 16);
  #ends = new Uint32Array(1 << 12);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Bytes of all texts. */
  get bytes(): number {
    return this.#count === 0 ? 0 : this.#ends[this.#count - 1]!;
  }

  add(text: string): void {
    const start = this.bytes;
    const room = start + text.length * BYTES_A_UNIT;
    if (room > this.#bytes.length)
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(room * 2));
    if (this.#count === this.#ends.length)
      this.#ends = new Uint32Array(this.#ends.buffer.transfer(this.#count * 8));
    const { written } = encoder.encodeInto(text, this.#bytes.subarray(start));
    this.#ends[this.#count++] = start + written;
  }

  /** The text of a number, or null. */
  at(number: number): string | null {
    if (!Number.isInteger(number) || number < 0 || number >= this.#count)
      return null;
    const start = number === 0 ? 0 : this.#ends[number - 1]!;
    return decoder.decode(this.#bytes.subarray(start, this.#ends[number]));
  }
}
