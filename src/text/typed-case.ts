import { LONG_FORMS } from "./city.ts";
import { naturalCase, type NameKind } from "./natural-case.ts";

/** A short word of a city before another word. */
const SHORT_WORD = /\b(St|Mt|Ft)\b\.?(?=[ -])/giu;

/** A word in capitals. One of two letters may be initials: `AJ Smith`. */
const CAPITALS = /(?<!\p{L})\p{Lu}{3,}(?!\p{L})/u;

/**
 * A name or a city that a user typed, for pages: `st paul` as `Saint Paul`, `o'brien` as `O'Brien`. One with both small
 * letters and capitals keeps them; a person's or a city's does not if a whole word is in capitals (`jane SMITH`).
 */
export function typedCase(typed: string, kind: NameKind): string {
  const isSmall = typed === typed.toLowerCase();
  const isMixed = kind !== "organization" && CAPITALS.test(typed);
  const text = naturalCase(
    isSmall || isMixed ? typed.toUpperCase() : typed,
    kind,
  );
  return kind === "city" ? text.replace(SHORT_WORD, longForm) : text;
}

function longForm(match: string, word: string): string {
  return naturalCase(LONG_FORMS.get(word.toUpperCase()) ?? match, "city");
}
