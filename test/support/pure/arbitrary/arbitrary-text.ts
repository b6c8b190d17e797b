/** Texts as users type them: whole values of the registry, parts of them, several words, other spellings, misses. */

import * as fc from "fast-check";
import { fold, hasText, words } from "../../../../src/text/fold.ts";
import { MISSES } from "./colliding-values.ts";

/** How a text is made from a registry: only numbers, so a failure shrinks without changing the registry. */
export interface TextAsk {
  /** 1–4 parts, joined with spaces. */
  pieces: readonly Piece[];
  /** Cuts the parts anywhere, whatever the filter compares. */
  loose: boolean;
  miss: boolean;
  blank: boolean;
  dress: (text: string) => string;
}

interface Piece {
  /** Which of the values that are offered. */
  pick: number;
  cut: "whole" | "word" | "word start" | "start" | "middle";
  from: number;
  length: number;
}

/** What a filter compares: words anywhere, the start of the field, or all of it. */
type Compared = "words" | "start" | "whole";

/** Code points of at most two UTF-16 units each: never over the service's 100 characters. */
const MAX_TEXT_LENGTH = 50;

export function arbitraryTextAsk(): fc.Arbitrary<TextAsk> {
  const piece = fc.record({
    pick: fc.nat(9_999),
    cut: fc.constantFrom(
      "whole",
      "whole",
      "word",
      "word start",
      "start",
      "middle",
    ),
    from: fc.nat(20),
    length: fc.integer({ min: 1, max: 8 }),
  });
  return fc.record({
    pieces: fc.oneof(
      { weight: 3, arbitrary: fc.tuple(piece) },
      { weight: 2, arbitrary: fc.array(piece, { minLength: 2, maxLength: 4 }) },
    ),
    loose: onceIn(10),
    miss: onceIn(40),
    blank: onceIn(40),
    dress: fc.oneof(
      { weight: 3, arbitrary: fc.constant(asItIs) },
      fc.constantFrom(...DRESSES),
    ),
  });
}

/** The text, cut from the given values: blank, or with a letter or digit, and at most 100 characters. */
export function askedText(
  ask: TextAsk,
  offered: readonly (string | null)[],
  compared: Compared,
): string {
  if (ask.blank) return "  ";
  const values = offered.filter((value) => value !== null).filter(hasText);
  const fitting =
    ask.loose || compared === "words" ? ask.pieces : ask.pieces.slice(0, 1);
  const cuts = fitting.map((piece) => {
    const value = values[piece.pick % values.length] ?? "NOBODY";
    return cutOf(
      ask.loose ? piece : { ...piece, cut: fittingCut(piece.cut, compared) },
      value,
    );
  });
  if (ask.miss) cuts.push(MISSES[ask.pieces.length % MISSES.length] ?? "");
  const text = slice(ask.dress(cuts.join(" ")), 0, MAX_TEXT_LENGTH);
  return hasText(text) ? text : "";
}

/** True once in `times` on average. */
export function onceIn(times: number): fc.Arbitrary<boolean> {
  return fc.nat(times - 1).map((number) => number === times - 1);
}

function fittingCut(cut: Piece["cut"], compared: Compared): Piece["cut"] {
  if (compared === "words" || cut === "whole") return cut;
  return compared === "whole" ? "whole" : "start";
}

function cutOf({ cut, from, length }: Piece, value: string): string {
  if (cut === "whole") return value;
  if (cut === "start") return slice(value, 0, length);
  if (cut === "middle") return slice(value, from % value.length, length);
  const each = words(fold(value));
  const word = each[from % each.length] ?? "";
  return cut === "word" ? word : slice(word, 0, length);
}

/** By code points, because half a character is not text. */
function slice(value: string, from: number, length: number): string {
  return Array.from(value)
    .slice(from, from + length)
    .join("");
}

function asItIs(text: string): string {
  return text;
}

/** Other spellings of the same text. Some are not the same, which is also useful. */
const DRESSES: readonly ((text: string) => string)[] = [
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
  (text) =>
    text.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  (text) => text.replaceAll("A", "Á").replaceAll("e", "\u{65}\u{301}"),
  (text) => text.replaceAll(" ", "-"),
  (text) => text.replaceAll(" ", "  "),
  (text) => text.replaceAll(" ", ""),
  (text) => ` ${text} `,
  (text) => `${text}*`,
  (text) => text.replaceAll("O", "O'"),
  (text) => text.replaceAll("N", "N."),
  (text) => text.replaceAll("&", "and"),
  (text) => text.replaceAll(" AND ", "&"),
  (text) => text.replaceAll("O", "ø").replaceAll("TH", "Þ"),
  (text) => text.replaceAll("fi", "ﬁ").replaceAll("SS", "ß"),
  (text) => text.replace(/^(\S+)\s+(.*)$/, "$2, $1"),
  (text) =>
    text
      .replaceAll("ST.", "SAINT")
      .replaceAll("FORT", "ft")
      .replaceAll("MOUNT", "Mt.")
      .replaceAll("SAINTE", "Ste."),
  (text) => text.replaceAll("SAINT", "st"),
];
