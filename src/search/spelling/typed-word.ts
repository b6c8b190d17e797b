import { codePoints } from "./edit-rows.ts";

/** Longer words get no suggestions: no name that many have is so long. */
export const MAX_CHARACTERS = 30;
/** Shorter words get none either: too many others are near. */
const MIN_CHARACTERS = 3;
/** Up to this many characters, one edit; beyond, two. */
const MAX_CHARACTERS_FOR_ONE_EDIT = 4;

/** A word as the dictionaries are compared with it. */
export interface TypedWord {
  /** Code points. */
  readonly characters: Int32Array;
  /** The most edits of a suggestion. */
  readonly mostEdits: number;
}

/** Null if the word, which is folded, gets no suggestions. */
export function typedWord(folded: string): TypedWord | null {
  // Code points have one or two units. The word may be very long.
  if (folded.length > 2 * MAX_CHARACTERS) return null;
  const characters = codePoints(folded);
  const count = characters.length;
  if (count < MIN_CHARACTERS || count > MAX_CHARACTERS) return null;
  return { characters, mostEdits: count > MAX_CHARACTERS_FOR_ONE_EDIT ? 2 : 1 };
}
