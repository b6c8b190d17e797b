/**
 * The folding of texts, for both the snapshot and queries. Case, accents, apostrophes and periods are ignored; `&` is
 * the word AND, and all other punctuation counts as one space. Snapshots of 1.0.0 have another one (`foldings.ts`).
 */

/**
 * Apostrophes, the characters that people type instead, and the period: dropped, so `O'BRIEN` = `O’Brien` = `OBRIEN`.
 */
const DROPPED = /['`.´‘’‛ʹʻʼʽˈ′＇․．]/gu;
const MARKS = /\p{M}+/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/gu;
const ASCII = /^[\0-\x7f]*$/;

/** Upper-case letters that Unicode doesn't decompose, in basic letters; and the word that `&` is read as. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  "&": " AND ",
  Ø: "O",
  Ł: "L",
  Đ: "D",
  Æ: "AE",
  Œ: "OE",
  ẞ: "SS",
  Þ: "TH",
};
const TO_SPELL_OUT = new RegExp(`[${Object.keys(SPELLED_OUT).join("")}]`, "g");

/** Folds a value to upper-case words of letters and digits, separated by single spaces; '' if it has neither. */
export function fold(value: string): string {
  const spelledOut = upperCase(value).replace(
    TO_SPELL_OUT,
    (character) => SPELLED_OUT[character]!,
  );
  return spaced(spelledOut);
}

/** Folds as 1.0.0 did: `&` is punctuation, and Ø, Ł, Đ, Æ, Œ, ẞ and Þ are separate letters. */
export function foldWithoutSpellingOut(value: string): string {
  return spaced(upperCase(value));
}

/** True if a value has a letter or digit. A lone `&` has none. */
export function hasText(value: string): boolean {
  return foldWithoutSpellingOut(value) !== "";
}

/** Splits a folded value into words; none for ''. */
export function words(folded: string): string[] {
  return folded === "" ? [] : folded.split(" ");
}

/** Converts to capitals, without apostrophes, periods, and accents. */
function upperCase(value: string): string {
  const bare = value.replace(DROPPED, "");
  return ASCII.test(bare) ? bare.toUpperCase() : foldAccents(bare);
}

function spaced(upper: string): string {
  return upper.replace(BETWEEN_WORDS, " ").trim();
}

/** Decomposes, upper-cases and decomposes again, because an upper-case form may be composed; then drops the marks. */
function foldAccents(value: string): string {
  const upper = value.normalize("NFKD").replace(MARKS, "").toUpperCase();
  return upper.normalize("NFKD").replace(MARKS, "").replace(DROPPED, "");
}

/** Abbreviations that the Postal Service and providers use for the first words of city names. */
export const LONG_FORMS: ReadonlyMap<string, string> = new Map([
  ["ST", "SAINT"],
  ["STE", "SAINTE"],
  ["MT", "MOUNT"],
  ["FT", "FORT"],
]);

/** Writes the abbreviations among the words of a folded city in full. */
export function inFull(
  folded: string,
  longForms: ReadonlyMap<string, string> = LONG_FORMS,
): string {
  return words(folded)
    .map((word) => longForms.get(word) ?? word)
    .join(" ");
}

/** Folds a city to compare it: ST, STE, MT and FT as words of the name are read as SAINT, SAINTE, MOUNT and FORT. */
export function foldCity(city: string): string {
  return inFull(fold(city));
}

/** Returns what two spellings of a city share: O'Fallon is O FALLON. */
export function cityKey(city: string): string {
  return foldCity(city).replaceAll(" ", "");
}
