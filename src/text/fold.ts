/**
 * The one folding of text: what the snapshot is built with and what a query is asked with, so that the two cannot drift.
 * Case, accents, apostrophes and periods do not matter; hyphens and all other punctuation count as one space.
 */

/** Characters that people type for an apostrophe, and the period: dropped, so that `O'BRIEN` = `O’Brien` = `OBRIEN`. */
const DROPPED = /['`.´‘’‛ʹʻʼʽˈ′＇․．]/gu;
const MARKS = /\p{M}+/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/gu;
const ASCII = /^[\0-\x7f]*$/;

/** Folds a value to upper-case words of letters and digits with single spaces between them; '' when it has neither. */
export function fold(value: string): string {
  const bare = value.replace(DROPPED, "");
  const upper = ASCII.test(bare) ? bare.toUpperCase() : foldAccents(bare);
  return upper.replace(BETWEEN_WORDS, " ").trim();
}

/** The words of a folded value; none for ''. */
export function words(folded: string): string[] {
  return folded === "" ? [] : folded.split(" ");
}

/** Decomposes, upper-cases and decomposes again, because an upper-case form may itself decompose; then drops the marks. */
function foldAccents(value: string): string {
  const upper = value.normalize("NFKD").replace(MARKS, "").toUpperCase();
  return upper.normalize("NFKD").replace(MARKS, "").replace(DROPPED, "");
}
