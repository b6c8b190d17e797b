import type { InterpretedFilters } from "../../contract/interpret.ts";
import type { Word } from "./sentence.ts";

/** A parameter, or `operation` for what says which operation is wanted. */
export type Understood = keyof InterpretedFilters | "operation";

/** The parameters for names. */
const NAMES = ["name", "first_name", "last_name", "organization"] as const;

/** A part of what was typed, and what became of it: the filter it was understood as, or why it was dropped. */
export interface Note {
  readonly start: number;
  readonly end: number;
  readonly filter?: Understood;
  readonly reason?: string;
}

/**
 * What was typed, while rules read it. Each rule takes words as a filter, or drops them with a reason; words that no
 * rule took are free.
 */
export class Draft {
  readonly words: readonly Word[];
  readonly filters: InterpretedFilters = {};
  notes: Note[] = [];
  /** Whether something around a place is wanted. */
  isNear = false;
  /** Where a place follows NEAR and the like; -1 if none does. */
  placeAt = -1;
  /** The place of a nearby search as filters of a search, as typed. */
  place: InterpretedFilters = {};
  readonly #taken: Uint8Array;
  readonly #names: Uint8Array;

  constructor(words: readonly Word[]) {
    this.words = words;
    this.#taken = new Uint8Array(words.length);
    this.#names = new Uint8Array(words.length);
  }

  /** The folded word at an index; '' outside. */
  at(index: number): string {
    return this.words[index]?.folded ?? "";
  }

  /** The folded words `[from, to)` with spaces between them. */
  phrase(from: number, to: number): string {
    return this.words
      .slice(from, to)
      .map(({ folded }) => folded)
      .join(" ");
  }

  /** The words `[from, to)` as typed, with hyphens between those that are joined by one. */
  typed(from: number, to: number): string {
    return this.words
      .slice(from, to)
      .map(({ joined, text }, index) =>
        index === 0 ? text : `${joined ? "-" : " "}${text}`,
      )
      .join("");
  }

  isFree(index: number): boolean {
    return index >= 0 && index < this.words.length && this.#taken[index] === 0;
  }

  /** Whether all words of `[from, to)` exist and are free. */
  areFree(from: number, to: number): boolean {
    for (let index = from; index < to; index++)
      if (!this.isFree(index)) return false;
    return true;
  }

  /** Whether a word is understood as a parameter. */
  isUnderstoodAs(index: number, filter: Understood): boolean {
    const word = this.words[index];
    return (
      word !== undefined &&
      this.notes.some(
        (note) =>
          note.filter === filter &&
          note.start <= word.start &&
          note.end >= word.end,
      )
    );
  }

  /** The indexes of free words, ascending. */
  free(): number[] {
    return [...this.words.keys()].filter((index) => this.isFree(index));
  }

  /** Marks a word as part of a name, whatever else it may mean. */
  protect(index: number): void {
    if (index < this.#names.length) this.#names[index] = 1;
  }

  isProtected(index: number): boolean {
    return this.#names[index] === 1;
  }

  /** Understands the words `[from, to)` as a parameter, whose value the caller sets. */
  take(from: number, to: number, filter: Understood): void {
    this.#note(from, to, { filter });
  }

  drop(from: number, to: number, reason: string): void {
    this.#note(from, to, { reason });
  }

  /** Whether a word is understood as a part of a name. */
  isName(index: number): boolean {
    return NAMES.some((filter) => this.isUnderstoodAs(index, filter));
  }

  /** Drops with a reason what was understood as a parameter. */
  dropUnderstood(filter: Understood, reason: string): void {
    this.notes = this.notes.map((note) =>
      note.filter === filter
        ? { start: note.start, end: note.end, reason }
        : note,
    );
  }

  /** Understands as a parameter what was understood as another one. */
  renameUnderstood(from: Understood, to: Understood): void {
    this.notes = this.notes.map((note) =>
      note.filter === from ? { ...note, filter: to } : note,
    );
  }

  /** Drops each free word with one reason. */
  dropFree(reason: string): void {
    for (const index of this.free()) this.drop(index, index + 1, reason);
  }

  #note(from: number, to: number, use: Pick<Note, "filter" | "reason">): void {
    const first = this.words[from];
    const last = this.words[to - 1];
    if (first === undefined || last === undefined) return;
    this.#taken.fill(1, from, to);
    this.notes.push({ start: first.start, end: last.end, ...use });
  }
}
