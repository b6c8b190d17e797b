import { inFull, LONG_FORMS } from "./city.ts";
import { decoded, overBytes, type FoldBytes } from "./fold-bytes.ts";
import { fold, foldWithoutSpellingOut } from "./fold.ts";

/** A rule by which texts are compared. A snapshot keeps that of its full file (FORMAT.md, "Dictionaries"). */
export interface Folding {
  /** Its number in snapshots. */
  readonly number: number;
  readonly fold: (value: string) => string;
  readonly foldBytes: FoldBytes;
  readonly foldCity: (city: string) => string;
  readonly foldCityBytes: FoldBytes;
}

const LONG_FORMS_BEFORE = new Map(
  [...LONG_FORMS].filter(([word]) => word !== "STE"),
);

/** All foldings by number: that of 1.0.0, and today's. */
export const FOLDINGS: readonly [Folding, Folding] = [
  folding(0, foldWithoutSpellingOut, LONG_FORMS_BEFORE),
  folding(1, fold, LONG_FORMS),
];

/** The folding of full files that are imported today. */
export const [, FOLDING] = FOLDINGS;

function folding(
  number: number,
  foldText: (value: string) => string,
  longForms: ReadonlyMap<string, string>,
): Folding {
  const foldCity = (city: string): string => inFull(foldText(city), longForms);
  return {
    number,
    fold: foldText,
    foldBytes: overBytes(foldText),
    foldCity,
    foldCityBytes: decoded(foldCity),
  };
}
