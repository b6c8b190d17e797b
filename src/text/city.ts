import { fold, words } from "./fold.ts";

/** Abbreviations that the Postal Service and providers use for the first words of city names. */
export const LONG_FORMS: ReadonlyMap<string, string> = new Map([
  ["ST", "SAINT"],
  ["STE", "SAINTE"],
  ["MT", "MOUNT"],
  ["FT", "FORT"],
]);

/** A folded city with the abbreviations among its words in full. */
export function inFull(
  folded: string,
  longForms: ReadonlyMap<string, string> = LONG_FORMS,
): string {
  return words(folded)
    .map((word) => longForms.get(word) ?? word)
    .join(" ");
}

/** A compared city: folded, with ST, STE, MT and FT as words of the name read as SAINT, SAINTE, MOUNT and FORT. */
export function foldCity(city: string): string {
  return inFull(fold(city));
}

/** Cities are the same if this is: O'Fallon is O FALLON. */
export function cityKey(city: string): string {
  return foldCity(city).replaceAll(" ", "");
}
