import type { InterpretedFilters } from "../../contract/interpret.ts";

/** A part of what was typed, and what became of it: the filter it was understood as, or why it was dropped. */
export interface Note {
  readonly start: number;
  readonly end: number;
  /** A parameter, or `operation` for what says which operation is wanted. */
  readonly filter?: string;
  readonly reason?: string;
}

/** Senses of words. `word` is a name in neither dictionary of people's names. */
export type SpanKind =
  | "first"
  | "last"
  | "middle"
  | "word"
  | "organization"
  | "specialty"
  | "city"
  | "state"
  | "place"
  | "zip"
  | "radius"
  | "near"
  | "entity"
  | "title"
  | "suffix"
  | "credential"
  | "join"
  | "drop";

/** Words `[from, to)` of a text, and what they can stand for. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly kind: SpanKind;
  /** The logarithm to base 2 of how likely the words are for their kind: 0 is certain. */
  readonly score: number;
  /** The filters that it sets, except names, which are joined from several spans. */
  readonly filters?: InterpretedFilters;
  /** Of a place, where its state starts. */
  readonly stateAt?: number;
  /** True if no one is in the city, or has the word. */
  readonly isUnknown?: boolean;
  /** The reason why the words are in no filter. */
  readonly reason?: string;
}
