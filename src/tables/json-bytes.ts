const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_N = 0x6e;
const ENCODER = new TextEncoder();
/** 1 for the bytes of numbers, `true`, and `false`. */
const WORD = new Uint8Array(256);
for (const byte of ENCODER.encode("0123456789+-.Eaeflrstu")) WORD[byte] = 1;

/** A text that may be next: its bytes, how many, and all but the last few as numbers of four, low byte first. */
export interface Expected {
  readonly bytes: Uint8Array;
  readonly end: number;
  readonly words: readonly number[];
}

/** Prepares a text for `passAll`. */
export function expected(text: string): Expected {
  const bytes = ENCODER.encode(text);
  const view = new DataView(bytes.buffer);
  const end = bytes.length;
  const words = Array.from({ length: end >>> 2 }, (_, i) =>
    view.getInt32(i * 4, true),
  );
  return { bytes, end, words };
}

/** Reads JSON without white space, as the service writes it, value by value, and makes no objects. */
export class JsonBytes {
  /** The bytes, and the position of the next value. */
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  /** The last text that was read, or the characters of another value that is no object or list: `source[from, to)`. */
  source: Uint8Array = this.bytes;
  from = 0;
  to = 0;
  #view = new DataView(this.bytes.buffer);

  /** Moves to a value. */
  open(bytes: Uint8Array, at: number): void {
    this.bytes = bytes;
    this.at = at;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Passes a null; false if something else is next. */
  passNull(): boolean {
    if (this.bytes[this.at] !== LETTER_N) return false;
    this.at += 4;
    return true;
  }

  /** Passes a byte; false if another one is next. */
  pass(byte: number): boolean {
    if (this.bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  /** Passes a text's bytes; false if others are next. */
  passAll({ bytes, end, words }: Expected): boolean {
    const { at } = this;
    const view = this.#view;
    if (at + end > view.byteLength) return false;
    let from = 0;
    for (const word of words) {
      if (view.getInt32(at + from, true) !== word) return false;
      from += 4;
    }
    for (; from < end; from++)
      if (view.getUint8(at + from) !== bytes[from]) return false;
    this.at = at + end;
    return true;
  }

  /** Passes a byte. Throws if another one is next. */
  expect(byte: number): void {
    if (!this.pass(byte)) this.fail();
  }

  /** Passes a value that is no object or list, to `source`. */
  read(): void {
    const { bytes } = this;
    this.source = bytes;
    let at = this.at;
    if (bytes[at] !== QUOTE) {
      this.from = at;
      while (WORD[bytes[at]!] === 1) at++;
      if (at === this.from) this.fail();
      this.at = this.to = at;
      return;
    }
    this.from = ++at;
    while (bytes[at] !== QUOTE && bytes[at] !== BACKSLASH && at < bytes.length)
      at++;
    if (bytes[at] === QUOTE) {
      this.to = at;
      this.at = at + 1;
    } else this.#readEscaped(at);
  }

  /** Reads a text that has a backslash at `at`. */
  #readEscaped(backslash: number): void {
    const { bytes, from } = this;
    let at = backslash;
    while (bytes[at] !== QUOTE) {
      if (at >= bytes.length) this.fail();
      at += bytes[at] === BACKSLASH ? 2 : 1;
    }
    const { buffer, byteOffset } = bytes;
    const text = Buffer.from(buffer, byteOffset + from - 1, at - from + 2);
    this.source = ENCODER.encode(JSON.parse(text.toString()));
    this.from = 0;
    this.to = this.source.length;
    this.at = at + 1;
  }

  fail(): never {
    throw new Error(`No compact JSON at byte ${this.at}`);
  }
}
