/**
 * The only folding of text, used for both the snapshot and queries. Case, accents, apostrophes and periods are ignored;
 * hyphens and all other punctuation count as one space.
 */

/**
 * Apostrophes, the characters that people type instead, and the period: dropped, so `O'BRIEN` = `O’Brien` = `OBRIEN`.
 */
const DROPPED = /['`.´‘’‛ʹʻʼʽˈ′＇․．]/gu;
const MARKS = /\p{M}+/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/gu;
const ASCII = /^[\0-\x7f]*$/;

/** Folds a value to upper-case words of letters and digits, separated by single spaces; '' if it has neither. */
export function fold(value: string): string {
  const bare = value.replace(DROPPED, "");
  const upper = ASCII.test(bare) ? bare.toUpperCase() : foldAccents(bare);
  return upper.replace(BETWEEN_WORDS, " ").trim();
}

/** The words of a folded value; none for ''. */
export function words(folded: string): string[] {
  return folded === "" ? [] : folded.split(" ");
}

/** Decomposes, upper-cases and decomposes again, because an upper-case form may be composed; then drops the marks. */
function foldAccents(value: string): string {
  const upper = value.normalize("NFKD").replace(MARKS, "").toUpperCase();
  return upper.normalize("NFKD").replace(MARKS, "").replace(DROPPED, "");
}
