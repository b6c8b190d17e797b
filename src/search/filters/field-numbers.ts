import { words } from "../../text/fold.ts";
import type { Ranges } from "./name-pairs.ts";
import type {
  Dictionary,
  NumberRange,
} from "../../snapshot/dictionary/dictionary.ts";
import type { FieldText } from "../registry-api/registry-query.ts";

/** Finds the entries of a dictionary that match a text. */
export function numbersOf(
  dictionary: Dictionary,
  { isPrefix, text }: FieldText,
): Ranges {
  return numbersOfFolded(dictionary, [dictionary.folding.fold(text)], isPrefix);
}

/**
 * Finds the entries of cities, which are compared without spaces. The last word of a prefix may be the start of a word,
 * so it is read as it is, too.
 */
export function numbersOfCity(
  dictionary: Dictionary,
  { isPrefix, text }: FieldText,
): Ranges {
  const { fold, foldCity } = dictionary.folding;
  const city = foldCity(text);
  const last = words(fold(text)).at(-1) ?? "";
  const asWritten = [...words(city).slice(0, -1), last].join(" ");
  return [...new Set(isPrefix ? [city, asWritten] : [city])]
    .map((each) => Buffer.from(each.replaceAll(" ", "")))
    .filter(({ length }) => length > 0)
    .flatMap((bytes) => dictionary.withoutSpaces(bytes, isPrefix))
    .sort((a, b) => a.from - b.from);
}

/** Finds the entries whose folded value is one of the texts or starts with one. An empty text has none. */
export function numbersOfFolded(
  dictionary: Dictionary,
  folded: readonly string[],
  isPrefix: boolean,
): NumberRange[] {
  const ranges = [...new Set(folded)]
    .filter((text) => text !== "")
    .map((text) => {
      const bytes = Buffer.from(text);
      return isPrefix
        ? dictionary.withPrefix(bytes)
        : dictionary.equalTo(bytes);
    })
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from);
  // Ranges of prefixes can contain each other.
  return ranges.filter(
    ({ to }, at) => !ranges.slice(0, at).some((range) => to <= range.to),
  );
}
