const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const APOSTROPHE = 0x27;
const COMMA = 0x2c;
const LF = 0x0a;
const CR = 0x0d;
/** Tab, line feed, carriage return. */
const WHITE = new Set([0x09, LF, CR]);
/** `=`, `+`, `-`, `@`, tab, line feed, carriage return. */
const FORMULA_STARTS = new Set([0x3d, 0x2b, 0x2d, 0x40, 0x09, LF, CR]);
/** The first bytes of full-width characters, and the last ones of `＝`, `＋`, `－`, `＠`. */
const WIDE = [0xef, 0xbc];
const WIDE_FORMULA_STARTS = new Set([0x9d, 0x8b, 0x8d, 0xa0]);
const ZERO = 0x30;
/** Digits of a half of ten, and ten to their power. */
const HALF_DIGITS = 5;
const HALF = 100_000;
const FIRST_ROOM = 1 << 14;
/**
 * From this many bytes on, the engine's copy is faster than a loop (12 ns for any length; a loop takes 0.5 to 1 ns per
 * byte).
 */
const COPIED = 16;
/** Maximum bytes that one byte becomes: `\u0000`. */
const GROWTH = 6;
/** Maximum bytes that one UTF-16 unit becomes. */
const MAX_UTF8_BYTES = 3;
const ENCODER = new TextEncoder();
const HEX = ENCODER.encode("0123456789abcdef");

/** Encodes constant text of an answer, ready to be copied. */
export function constant(text: string): Uint8Array {
  return ENCODER.encode(text);
}

/** Writes JSON or CSV as UTF-8 to reused memory, and returns it as one flat string or as bytes. */
export class JsonText {
  // Not a Buffer, which is a different kind of object to V8; with a single kind, the loops below stay fast.
  #bytes = new Uint8Array(FIRST_ROOM);
  /** The start of the text, and its end so far. */
  readonly #start: number;
  #length: number;

  /** Leaves room for this many bytes before the text. */
  constructor(room = 0) {
    this.#start = room;
    this.#length = room;
  }

  begin(): void {
    this.#length = this.#start;
  }

  /** Returns the text written since `begin`. */
  text(): string {
    const { buffer } = this.#bytes;
    return Buffer.from(buffer, this.#start, this.length).toString();
  }

  /** The number of bytes that were written since `begin`. */
  get length(): number {
    return this.#length - this.#start;
  }

  /** Returns the bytes written since `begin`; valid until more are written. */
  view(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#length);
  }

  /** Returns another text's bytes, then these; null if there is not enough room before these. */
  behind(other: JsonText): Buffer<ArrayBuffer> | null {
    const start = this.#start - other.length;
    if (start < 0) return null;
    this.#bytes.set(other.view(), start);
    return Buffer.from(this.#bytes.buffer, start, this.#length - start);
  }

  /** Leaves the memory to those who were given bytes of it, and goes on with other memory. */
  leave(): void {
    this.#bytes = new Uint8Array(FIRST_ROOM);
    this.begin();
  }

  /** Copies the bytes written since `begin`. */
  copy(): Uint8Array {
    return this.#bytes.slice(this.#start, this.#length);
  }

  /** Forgets what was written after the first bytes. */
  truncate(length: number): void {
    this.#length = Math.min(this.#length, this.#start + length);
  }

  /** Writes bytes as they are. */
  raw(text: Uint8Array): void {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    let length = this.#length;
    if (text.length < COPIED) {
      for (let i = 0; i < text.length; i++) bytes[length++] = text[i]!;
    } else {
      bytes.set(text, length);
      length += text.length;
    }
    this.#length = length;
  }

  /** Writes bytes written before, once more: from one `length` to another. */
  again(from: number, to: number): void {
    this.#reserve(to - from);
    const start = this.#start;
    this.#bytes.copyWithin(this.#length, start + from, start + to);
    this.#length += to - from;
  }

  /** Writes a string of ASCII characters as it is. */
  ascii(text: string): void {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    let length = this.#length;
    for (let i = 0; i < text.length; i++) bytes[length++] = text.charCodeAt(i);
    this.#length = length;
  }

  /** Writes any string as it is. */
  utf8(text: string): void {
    this.#reserve(text.length * MAX_UTF8_BYTES);
    const target = this.#bytes.subarray(this.#length);
    this.#length += ENCODER.encodeInto(text, target).written;
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  /** Writes the last digits of a whole number below 2³¹, with zeros in front. */
  digits(number: number, count: number): void {
    this.#reserve(count);
    const bytes = this.#bytes;
    const start = this.#length;
    let remaining = number;
    for (let i = start + count - 1; i >= start; i--) {
      const tens = (remaining / 10) | 0;
      bytes[i] = ZERO + remaining - tens * 10;
      remaining = tens;
    }
    this.#length = start + count;
  }

  /** Writes a whole number of ten digits. */
  tenDigits(number: number): void {
    // Two halves: each is a small integer, the whole number is not.
    const high = Math.floor(number / HALF);
    this.digits(high, HALF_DIGITS);
    this.digits(number - high * HALF, HALF_DIGITS);
  }

  /** Writes `source[from, to)`, which is UTF-8, as a quoted string; only what follows a byte of `separator`, if any. */
  quoted(source: Uint8Array, from: number, to: number, separator = -1): void {
    this.#reserve((to - from) * GROWTH + 2);
    const bytes = this.#bytes;
    let length = this.#length;
    bytes[length++] = QUOTE;
    for (let i = from; i < to; i++) {
      const byte = source[i]!;
      if (byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH)
        bytes[length++] = byte;
      else if (byte === separator) length = this.#length + 1;
      else length = escape(byte, bytes, length);
    }
    bytes[length++] = QUOTE;
    this.#length = length;
  }

  /**
   * Writes `source[from, to)`, which is UTF-8, as a cell of CSV (RFC 4180). If a spreadsheet would run it as a formula,
   * an apostrophe is put before it, as OWASP advises.
   */
  cell(source: Uint8Array, from: number, to: number): void {
    this.#reserve((to - from) * 2 + 3);
    const bytes = this.#bytes;
    const isFormula = startsFormula(source, from, to);
    let isQuoted = isFormula;
    for (let i = from; i < to && !isQuoted; i++) {
      const byte = source[i]!;
      isQuoted = byte === QUOTE || byte === COMMA || byte === LF || byte === CR;
    }
    let length = this.#length;
    if (isQuoted) bytes[length++] = QUOTE;
    if (isFormula) bytes[length++] = APOSTROPHE;
    for (let i = from; i < to; i++) {
      const byte = source[i]!;
      if (byte === QUOTE) bytes[length++] = QUOTE;
      bytes[length++] = byte;
    }
    if (isQuoted) bytes[length++] = QUOTE;
    this.#length = length;
  }

  /** Writes `source[from, to)`, with a space for each control character that is no white space. */
  plain(source: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    const bytes = this.#bytes;
    let length = this.#length;
    for (let i = from; i < to; i++) {
      const byte = source[i]!;
      const isControl = byte < SPACE && !WHITE.has(byte);
      bytes[length++] = isControl ? SPACE : byte;
    }
    this.#length = length;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array((this.#length + more) * 2);
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** True if a spreadsheet would run a cell: it starts with `=`, `+`, `-`, `@`, their full-width forms, or a control. */
function startsFormula(source: Uint8Array, from: number, to: number): boolean {
  if (from === to) return false;
  const first = source[from]!;
  if (first !== WIDE[0]) return FORMULA_STARTS.has(first);
  return (
    from + 2 < to &&
    source[from + 1] === WIDE[1] &&
    WIDE_FORMULA_STARTS.has(source[from + 2]!)
  );
}

/** Control characters with their own letter: backspace, tab, line feed, form feed, carriage return. */
const LETTERS = new Map([
  [0x08, 0x62],
  [0x09, 0x74],
  [0x0a, 0x6e],
  [0x0c, 0x66],
  [0x0d, 0x72],
]);

/** Escapes like JSON.stringify. Returns the position of the next byte. */
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
