/**
 * Masks Social Security numbers that the registry published by mistake: `ddd-dd-dddd`, not part of a longer run of
 * digits or of digits and hyphens (the license number `D420-421-52-5240`), becomes `***-**-****`. The length stays the
 * same, so bytes are masked in place, before anything reads them.
 */

export const MASKED_NUMBER = "***-**-****";

const IN_TEXT = /(?<!\d-?)\d{3}-\d{2}-\d{4}(?!-?\d)/g;

/** Masks the numbers in a text: the same as in its bytes. */
export function maskText(text: string): string {
  return text.replace(IN_TEXT, MASKED_NUMBER);
}

/** The bytes of the shape: three, two, and four digits. */
const LENGTH = MASKED_NUMBER.length;
/** From the first hyphen back to the start, and on to the second hyphen and the end. */
const FIRST_HYPHEN = 3;
const TO_SECOND = 3;
const TO_END = LENGTH - FIRST_HYPHEN;
/** The number of bytes after a number that say whether it is a group of a longer chain. */
const AFTER = 2;
const HYPHEN = 0x2d;
const STAR = 0x2a;
const NOTHING = new Uint8Array(0);

/** Masks a stream of bytes, whatever its chunks. */
export class NumberMask {
  /** Numbers masked so far. */
  count = 0;
  /** The end of the last chunk if it may be the start of a number; at most a byte longer than one. */
  #kept: Uint8Array = NOTHING;
  /** True if the byte before the next ones is a digit. */
  #followsDigit = false;
  /** True if the bytes before the next ones are a digit and a hyphen. */
  #followsGroup = false;

  /**
   * Masks the next bytes in place and returns what is ready: these bytes, less an end that may be the start of a
   * number, after the end that was kept of those before.
   */
  push(chunk: Uint8Array): Uint8Array {
    const bytes = this.#kept.length === 0 ? chunk : joined(this.#kept, chunk);
    this.#mask(bytes, false);
    const ready = bytes.length - this.#openEnd(bytes);
    // A copy: to slice a Buffer would be a view.
    this.#kept = joined(bytes.subarray(ready), NOTHING);
    if (ready > 0) {
      this.#followsGroup = this.#endsGroup(bytes, ready);
      this.#followsDigit = isDigit(bytes[ready - 1]);
    }
    return bytes.subarray(0, ready);
  }

  /** Returns the last bytes. */
  end(): Uint8Array {
    const bytes = this.#kept;
    this.#kept = NOTHING;
    this.#mask(bytes, true);
    return bytes;
  }

  /** Masks every number of which what follows is known: with `isWhole`, nothing follows the bytes. */
  #mask(bytes: Uint8Array, isWhole: boolean): void {
    // Its indexOf is the processor's fastest way to find a byte; to V8, the loops below want a plain array.
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const last = bytes.length - TO_END - (isWhole ? 0 : AFTER);
    let hyphen = view.indexOf(HYPHEN);
    while (hyphen >= 0 && hyphen <= last) {
      let next = hyphen + 1;
      if (bytes[hyphen + TO_SECOND] === HYPHEN) {
        if (this.#isNumber(bytes, hyphen - FIRST_HYPHEN)) {
          maskAt(bytes, hyphen - FIRST_HYPHEN);
          this.count++;
          next = hyphen + TO_END;
        }
      } else {
        // A hyphen after another one doesn't follow a digit.
        while (bytes[next] === HYPHEN) next++;
      }
      hyphen = view.indexOf(HYPHEN, next);
    }
  }

  #isNumber(bytes: Uint8Array, start: number): boolean {
    const end = start + LENGTH;
    return (
      start >= 0 &&
      hasShape(bytes, start, LENGTH) &&
      !this.#isAfterGroup(bytes, start) &&
      !isDigit(bytes[end]) &&
      !(bytes[end] === HYPHEN && isDigit(bytes[end + 1]))
    );
  }

  /** True if a digit, or a digit and a hyphen, precede the position. */
  #isAfterGroup(bytes: Uint8Array, at: number): boolean {
    const isAfterDigit = at === 0 ? this.#followsDigit : isDigit(bytes[at - 1]);
    return isAfterDigit || this.#endsGroup(bytes, at);
  }

  /** True if a digit and a hyphen precede the position. */
  #endsGroup(bytes: Uint8Array, at: number): boolean {
    if (at === 0) return this.#followsGroup;
    if (bytes[at - 1] !== HYPHEN) return false;
    return at === 1 ? this.#followsDigit : isDigit(bytes[at - 2]);
  }

  /** Measures the end that may be the start of a number, or a number of which what follows is not known. */
  #openEnd(bytes: Uint8Array): number {
    const longest = Math.min(LENGTH + AFTER - 1, bytes.length);
    for (let length = longest; length > 0; length--) {
      const start = bytes.length - length;
      const inNumber = Math.min(length, LENGTH);
      if (hasShape(bytes, start, inNumber) && !this.#isAfterGroup(bytes, start))
        return length;
    }
    return 0;
  }
}

/** True if `length` bytes are the start of a number. */
function hasShape(bytes: Uint8Array, start: number, length: number): boolean {
  for (let at = 0; at < length; at++) {
    const byte = bytes[start + at];
    const fits =
      at === FIRST_HYPHEN || at === FIRST_HYPHEN + TO_SECOND
        ? byte === HYPHEN
        : isDigit(byte);
    if (!fits) return false;
  }
  return true;
}

function maskAt(bytes: Uint8Array, start: number): void {
  for (let at = start; at < start + LENGTH; at++)
    if (bytes[at] !== HYPHEN) bytes[at] = STAR;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

export function joined(
  first: Uint8Array,
  second: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
