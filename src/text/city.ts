import { fold, words } from "./fold.ts";

/** Abbreviations that the Postal Service and providers use for the first words of city names. */
export const LONG_FORMS: ReadonlyMap<string, string> = new Map([
  ["ST", "SAINT"],
  ["MT", "MOUNT"],
  ["FT", "FORT"],
]);

/** A compared city: folded, with ST, MT and FT as words of the name read as SAINT, MOUNT and FORT. */
export function foldCity(city: string): string {
  return words(fold(city))
    .map((word) => LONG_FORMS.get(word) ?? word)
    .join(" ");
}

/** Cities are the same if this is: O'Fallon is O FALLON. */
export function cityKey(city: string): string {
  return foldCity(city).replaceAll(" ", "");
}
