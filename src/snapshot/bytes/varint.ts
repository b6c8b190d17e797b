/** Counts the bytes in LEB128: seven bits each, low bits first; the top bit is set if more follow. Up to 32 bits. */

export function varintBytes(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x200000) return 3;
  return value < 0x10000000 ? 4 : 5;
}

/** Writes `value` at `at`. Returns the position after it. */
export function writeVarint(
  target: Uint8Array,
  at: number,
  value: number,
): number {
  let remaining = value;
  let to = at;
  while (remaining >= 0x80) {
    target[to++] = (remaining & 0x7f) | 0x80;
    remaining >>>= 7;
  }
  target[to++] = remaining;
  return to;
}

/** Reads numbers one after the other. */
export class ByteReader {
  bytes: Uint8Array;
  /** Position of the next number. */
  at: number;

  constructor(bytes: Uint8Array = new Uint8Array(0), at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  varint(): number {
    const { bytes } = this;
    let at = this.at;
    let byte = bytes[at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 0x7f) << shift;
    }
    this.at = at;
    return value;
  }

  /** Reads a u16. */
  two(): number {
    return this.bytes[this.at++]! | (this.bytes[this.at++]! << 8);
  }
}
