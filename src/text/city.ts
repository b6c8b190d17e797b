import { fold, words } from "./fold.ts";

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
