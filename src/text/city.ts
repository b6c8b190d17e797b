import { fold, words } from "./fold.ts";

/** Abbreviations that the Postal Service and providers use for the first words of city names. */
const LONG_FORM = new Map([
  ["ST", "SAINT"],
  ["MT", "MOUNT"],
  ["FT", "FORT"],
]);

/** A city as it is compared and sorted: folded, with ST, MT and FT read as SAINT, MOUNT and FORT wherever they stand. */
export function foldCity(city: string): string {
  return words(fold(city))
    .map((word) => LONG_FORM.get(word) ?? word)
    .join(" ");
}
