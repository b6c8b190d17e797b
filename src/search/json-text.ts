const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const FIRST_ROOM = 1 << 14;
/** A byte becomes so many at most: `\u0000`. */
const GROWTH = 6;
const HEX = new TextEncoder().encode("0123456789abcdef");

/** Constant text of an answer, ready to be copied. */
export function constant(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Writes JSON as UTF-8 into memory that is used again, and hands it out as one flat string. */
export class JsonText {
  #bytes: Buffer = Buffer.allocUnsafe(FIRST_ROOM);
  #length = 0;

  begin(): void {
    this.#length = 0;
  }

  /** What was written since `begin`. */
  text(): string {
    return this.#bytes.toString("utf8", 0, this.#length);
  }

  /** Bytes as they are. */
  raw(text: Uint8Array): void {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    let length = this.#length;
    for (let i = 0; i < text.length; i++) bytes[length++] = text[i]!;
    this.#length = length;
  }

  /** A string of ASCII characters as it is. */
  ascii(text: string): void {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    let length = this.#length;
    for (let i = 0; i < text.length; i++) bytes[length++] = text.charCodeAt(i);
    this.#length = length;
  }

  /** `source[from, to)`, which is UTF-8, as a quoted string. */
  quoted(source: Uint8Array, from: number, to: number): void {
    this.#reserve((to - from) * GROWTH + 2);
    const bytes = this.#bytes;
    let length = this.#length;
    bytes[length++] = QUOTE;
    for (let i = from; i < to; i++) {
      const byte = source[i]!;
      if (byte < SPACE || byte === QUOTE || byte === BACKSLASH)
        length = escape(byte, bytes, length);
      else bytes[length++] = byte;
    }
    bytes[length++] = QUOTE;
    this.#length = length;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe((this.#length + more) * 2);
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/** Control characters with a letter of their own: backspace, tab, line feed, form feed, carriage return. */
const LETTERS = new Map([
  [0x08, 0x62],
  [0x09, 0x74],
  [0x0a, 0x6e],
  [0x0c, 0x66],
  [0x0d, 0x72],
]);

/** As JSON.stringify escapes. Returns where the next byte goes. */
function escape(byte: number, target: Uint8Array, at: number): number {
  target[at] = BACKSLASH;
  const letter = byte < SPACE ? LETTERS.get(byte) : byte;
  if (letter !== undefined) {
    target[at + 1] = letter;
    return at + 2;
  }
  target[at + 1] = 0x75;
  target[at + 2] = 0x30;
  target[at + 3] = 0x30;
  target[at + 4] = HEX[byte >>> 4]!;
  target[at + 5] = HEX[byte & 15]!;
  return at + 6;
}
