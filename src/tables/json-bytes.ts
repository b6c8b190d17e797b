import { withRoom } from "../snapshot/bytes/growable.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_N = 0x6e;
const WORD_BYTES = 4;
const ENCODER = new TextEncoder();
/** 1 for the bytes of numbers, `true`, and `false`. */
const WORD = new Uint8Array(256);
for (const byte of ENCODER.encode("0123456789+-.Eaeflrstu")) WORD[byte] = 1;

/** A text that may be next, as numbers of four bytes, low byte first. The last one has the rest, and a mask for it. */
export interface Expected {
  readonly length: number;
  readonly words: readonly number[];
  readonly last: number;
  readonly mask: number;
}

/** Prepares a text for `passAll`. */
export function expected(text: string): Expected {
  const bytes = ENCODER.encode(text);
  const rest = bytes.length % WORD_BYTES;
  const padded = new Uint8Array(bytes.length - rest + WORD_BYTES);
  padded.set(bytes);
  const words = Array.from(new Int32Array(padded.buffer));
  const last = words.pop() ?? 0;
  return { length: bytes.length, words, last, mask: (1 << (rest * 8)) - 1 };
}

/** Reads JSON without white space, as the service writes it, value by value, and makes no objects. */
export class JsonBytes {
  /** The position of the next value. */
  at = 0;
  /** The position behind the last one. */
  end = 0;
  /** The last text that was read, or the characters of another value that is no object or list: `source[from, to)`. */
  source: Uint8Array = new Uint8Array(0);
  from = 0;
  to = 0;
  /** A copy, with zeros behind it. What reads the same memory each time is faster. */
  #bytes: Uint8Array = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);

  /** Copies the bytes of values, and moves to the first one. */
  open(bytes: Uint8Array): void {
    this.at = 0;
    this.end = bytes.length;
    if (this.end + WORD_BYTES > this.#bytes.length) {
      this.#bytes = withRoom(this.#bytes, this.end + WORD_BYTES);
      this.#view = new DataView(this.#bytes.buffer);
    }
    this.#bytes.set(bytes);
    this.#bytes.fill(0, this.end, this.end + WORD_BYTES);
  }

  /** Passes a null; false if something else is next. */
  passNull(): boolean {
    if (this.#bytes[this.at] !== LETTER_N) return false;
    this.at += 4;
    return true;
  }

  /** Passes a byte; false if another one is next. */
  pass(byte: number): boolean {
    if (this.#bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  /** Passes a text's bytes; false if others are next. */
  passAll({ last, length, mask, words }: Expected): boolean {
    const view = this.#view;
    if (length > this.end - this.at) return false;
    let { at } = this;
    for (let i = 0; i < words.length; i++) {
      if (view.getInt32(at, true) !== words[i]) return false;
      at += WORD_BYTES;
    }
    if ((view.getInt32(at, true) & mask) !== last) return false;
    this.at += length;
    return true;
  }

  /** Passes a byte. Throws if another one is next. */
  expect(byte: number): void {
    if (!this.pass(byte)) this.fail();
  }

  /** Passes a value that is no object or list, to `source`. */
  read(): void {
    const bytes = this.#bytes;
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
    while (bytes[at] !== QUOTE && bytes[at] !== BACKSLASH && at < this.end)
      at++;
    if (bytes[at] === QUOTE) {
      this.to = at;
      this.at = at + 1;
    } else this.#readEscaped(at);
  }

  /** Reads a text that has a backslash at `at`. */
  #readEscaped(backslash: number): void {
    const bytes = this.#bytes;
    const { from } = this;
    let at = backslash;
    while (bytes[at] !== QUOTE) {
      if (at >= this.end) this.fail();
      at += bytes[at] === BACKSLASH ? 2 : 1;
    }
    const text = Buffer.from(bytes.buffer, from - 1, at - from + 2);
    this.source = ENCODER.encode(JSON.parse(text.toString()));
    this.from = 0;
    this.to = this.source.length;
    this.at = at + 1;
  }

  fail(): never {
    throw new Error(`No compact JSON at byte ${this.at}`);
  }
}
