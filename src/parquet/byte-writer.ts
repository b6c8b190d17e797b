import { withRoom } from "../snapshot/bytes/growable.ts";

/** Writes bytes one after the other, to memory that is used again. */
export class ByteWriter {
  /** The bytes so far, and room for more. */
  bytes: Uint8Array = new Uint8Array(1 << 10);
  length = 0;

  /** Forgets what was written. */
  clear(): void {
    this.length = 0;
  }

  /** Returns what was written; valid until more is. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  /** Makes room for `count` bytes, which the caller writes at the returned position. */
  skip(count: number): number {
    const at = this.length;
    this.length += count;
    this.bytes = withRoom(this.bytes, this.length);
    return at;
  }

  byte(byte: number): void {
    const at = this.skip(1);
    this.bytes[at] = byte;
  }

  /** Writes the low `count` bytes of a number, lowest first. */
  low(number: number, count: number): void {
    const at = this.skip(count);
    for (let i = 0; i < count; i++) this.bytes[at + i] = number >>> (i * 8);
  }

  /** Writes a whole number of up to 53 bits as LEB128. */
  varint(number: number): void {
    let left = number;
    for (; left >= 0x80; left = Math.floor(left / 0x80))
      this.byte((left % 0x80) | 0x80);
    this.byte(left);
  }

  /** Writes `source[from, to)`. */
  raw(source: Uint8Array, from = 0, to = source.length): void {
    let at = this.skip(to - from);
    const { bytes } = this;
    // The engine's copy takes longer for the few bytes of most values.
    if (to - from > 32) bytes.set(source.subarray(from, to), at);
    else for (let i = from; i < to; i++) bytes[at++] = source[i]!;
  }
}
