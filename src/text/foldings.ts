import { fold, foldWithoutSpellingOut, inFull, LONG_FORMS } from "./fold.ts";

/**
 * Folding of UTF-8 bytes, without creating strings for ASCII: an import folds about thirty million values. The table
 * maps each ASCII byte to itself in upper case, SPACE between words, DROP, or AND for the word.
 */
const SPACE = 0x20;
const DROP = 0;
const AND = 1;
const AND_WORD = Buffer.from("AND");
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * Folds `source[start, end)` into `target` from `at` and returns the end. `target` needs twelve times as much room:
 * U+FDFA, three bytes, becomes 33. `&` becomes at most five: AND and two spaces.
 */
export type FoldBytes = (
  source: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  at: number,
) => number;

/** Makes a folding of strings one over bytes. */
function overBytes(foldText: (value: string) => string): FoldBytes {
  const foldDecoded = decoded(foldText);
  const asciiFolded = new Uint8Array(128).map((_, byte) =>
    foldedByte(foldText, byte),
  );
  return (source, start, end, target, at) => {
    let out = at;
    let gap = false;
    for (let i = start; i < end; i++) {
      const byte = source[i]!;
      if (byte >= 128) return foldDecoded(source, start, end, target, at);
      const folded = asciiFolded[byte]!;
      if (folded === SPACE) {
        gap = out > at;
      } else if (folded !== DROP) {
        if (gap || (folded === AND && out > at)) target[out++] = SPACE;
        gap = folded === AND;
        if (gap) for (const letter of AND_WORD) target[out++] = letter;
        else target[out++] = folded;
      }
    }
    return out;
  };
}

/** Makes one by way of strings, for texts that are few. */
function decoded(foldText: (value: string) => string): FoldBytes {
  return (source, start, end, target, at) => {
    const folded = foldText(decoder.decode(source.subarray(start, end)));
    return at + encoder.encodeInto(folded, target.subarray(at)).written;
  };
}

function foldedByte(foldText: (value: string) => string, byte: number): number {
  const around = foldText(`A${String.fromCharCode(byte)}A`);
  if (around === "AA") return DROP;
  if (around === "A AND A") return AND;
  return around === "A A" ? SPACE : around.charCodeAt(1);
}

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
