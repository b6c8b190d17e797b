import type { CompletionKind } from "../../contract/explorer/suggest.ts";
import type { InterpretedFilters } from "../../contract/interpret.ts";
import { fold } from "../../text/fold.ts";
import { readWords } from "../interpret/sentence.ts";

/** The end of what is typed: its last words, which may be the start of a name, a specialty, or a place. */
export interface LastTokens {
  /** The text before them, as typed. */
  readonly before: string;
  /** The words, folded, with spaces between them. */
  readonly phrase: string;
  /** The number of words. */
  readonly size: number;
}

/** A completion before it is known what the whole text finds. */
export interface Proposal {
  readonly kind: Exclude<CompletionKind, "npi">;
  /** The end of the text that it completes. */
  readonly tokens: LastTokens;
  /** The text that takes the place of the phrase. */
  readonly text: string;
  readonly label?: string;
  /** The approximate number of providers that have it: only for the order. */
  readonly providers: number;
  /**
   * The filters that the text before it must not have, and the text with it must: other senses of the words are not
   * suggested.
   */
  readonly filters: InterpretedFilters;
}

/** The most words that are completed together. */
const MAX_PHRASE_WORDS = 5;
/** Longer texts get no suggestions. */
const MAX_WORDS = 16;
const INITIAL = /(?<![\p{L}\p{N}'])\p{L}/gu;
const TWO_CAPITALS = /\p{Lu}{2}/u;
const STATE_AT_END = /(?<=, )\p{L}{2}$/u;
const ENDS_IN_WORD = /[\p{L}\p{N}]$/u;

/** Lists the ends of a text that are completed, the longest first. None if the text doesn't end in a word. */
export function lastTokens(typed: string): LastTokens[] {
  if (!ENDS_IN_WORD.test(typed.trimEnd())) return [];
  const words = readWords(typed);
  if (words.length > MAX_WORDS) return [];
  const ends: LastTokens[] = [];
  for (let size = Math.min(words.length, MAX_PHRASE_WORDS); size > 0; size--) {
    const from = words.length - size;
    const phrase = words.slice(from).map(({ folded }) => folded);
    ends.push({
      before: typed.slice(0, words[from]!.start),
      phrase: phrase.join(" "),
      size,
    });
  }
  return ends;
}

/** True if a text is typed in capitals. A single capital may only be the start of a name. */
export function isInCapitals(typed: string): boolean {
  return typed === typed.toUpperCase() && TWO_CAPITALS.test(typed);
}

/**
 * Writes a completion in the case that the user types: in capitals, in small letters, or each word with a capital.
 * States have two.
 */
export function inCaseOf(typed: string, completion: string): string {
  if (isInCapitals(typed)) return completion.toUpperCase();
  const small = completion.toLowerCase();
  const cased =
    typed === typed.toLowerCase() ? small : small.replace(INITIAL, upper);
  return cased.replace(STATE_AT_END, upper);
}

function upper(letters: string): string {
  return letters.toUpperCase();
}

/** True if a folded text is all that is typed of a completion. */
export function isWhole({ phrase }: LastTokens, completion: string): boolean {
  return fold(completion) === phrase;
}

/** Returns the proposals with the most providers, the first of each text. */
export function most(
  proposals: readonly Proposal[],
  count: number,
): Proposal[] {
  return proposals
    .toSorted((a, b) => b.providers - a.providers || (a.text < b.text ? -1 : 1))
    .slice(0, count);
}
