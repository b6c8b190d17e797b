/** More than any code point. */
const NONE = 0x11_0000;

/** Splits a text into its characters. */
export function codePoints(text: string): Int32Array {
  return Int32Array.from(text, (each) => each.codePointAt(0)!);
}

/**
 * Edits between a typed word and a text that grows and shrinks at its end, as the entries of a sorted dictionary do
 * from one to the next. Edits are insertions, deletions, substitutions, and swaps of neighbors, with no character
 * edited twice (optimal string alignment). Characters are code points.
 *
 * Row `i` of the table has the edits between the text's first `i` characters and each start of the typed word. Only
 * cells within `most` of the diagonal can have that few edits. All others are `most` + 1 from the start.
 */
export class EditRows {
  /** The length of the text. */
  length = 0;
  readonly #typed: Int32Array;
  readonly #most: number;
  readonly #width: number;
  readonly #cells: Uint8Array;
  readonly #text: Int32Array;

  constructor(typed: Int32Array, most: number) {
    this.#typed = typed;
    this.#most = most;
    this.#width = typed.length + 1;
    const rows = typed.length + most + 2;
    this.#cells = new Uint8Array(rows * this.#width).fill(most + 1);
    this.#text = new Int32Array(rows);
    for (let j = 0; j <= Math.min(most, typed.length); j++) this.#cells[j] = j;
  }

  /** Adds a character. If it returns false, no text that starts so has at most `most` edits, and it isn't added. */
  add(character: number): boolean {
    const typed = this.#typed;
    const cells = this.#cells;
    const width = this.#width;
    const tooMany = this.#most + 1;
    const i = this.length + 1;
    const row = i * width;
    const above = row - width;
    const previous = this.#text[i - 1]!;
    const last = Math.min(typed.length, i + this.#most);
    let least = tooMany;
    if (i < tooMany) least = cells[row] = i;
    for (let j = Math.max(1, i - this.#most); j <= last; j++) {
      const wanted = typed[j - 1]!;
      let edits = cells[above + j - 1]! + (wanted === character ? 0 : 1);
      edits = Math.min(edits, cells[above + j]! + 1, cells[row + j - 1]! + 1);
      if (i > 1 && j > 1 && wanted === previous && typed[j - 2] === character)
        edits = Math.min(edits, cells[above - width + j - 2]! + 1);
      edits = Math.min(edits, tooMany);
      cells[row + j] = edits;
      if (edits < least) least = edits;
    }
    if (least === tooMany) return false;
    this.#text[i] = character;
    this.length = i;
    return true;
  }

  /**
   * Finds, after `add` returned false, the least character after the refused one that may be added, 0 if there is none.
   * The text has as many edits as allowed then, so the next character must be one of the typed word's.
   */
  nextAfter(refused: number): number {
    const typed = this.#typed;
    const cells = this.#cells;
    const i = this.length + 1;
    const above = this.length * this.#width;
    const previous = this.#text[this.length]!;
    const last = Math.min(typed.length, i + this.#most);
    let next = NONE;
    for (let j = Math.max(1, i - this.#most); j <= last; j++) {
      const wanted = typed[j - 1]!;
      if (wanted > refused && cells[above + j - 1]! <= this.#most)
        next = Math.min(next, wanted);
      if (j > 1 && wanted === previous && typed[j - 2]! > refused)
        next = Math.min(next, typed[j - 2]!);
    }
    return next === NONE ? 0 : next;
  }

  /** Edits between the typed word and the text; more than `most` if there are more. */
  get edits(): number {
    return this.#cells[this.length * this.#width + this.#typed.length]!;
  }
}
