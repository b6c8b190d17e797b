import { checkNpi } from "../../registry/npi.ts";
import type { Note } from "./span.ts";
import { REASONS } from "./reasons.ts";

/** An NPI that was typed. */
export interface TypedNpi {
  readonly npi: string;
  readonly isValid: boolean;
}

/** The parts of a text apart from words. */
export interface NumbersRead {
  /** The text with spaces in place of what was read, as long as before. */
  readonly remaining: string;
  readonly notes: readonly Note[];
  readonly npi: TypedNpi | null;
}

const FULL_WIDTH_DIGIT = /[\uff10-\uff19]/g;
/** Patterns of what is neither a word nor a number that is searched. */
const NOISE: readonly (readonly [RegExp, string])[] = [
  [/<[^<>]*>/g, REASONS.markup],
  [/[^\s@<>]+@[^\s@<>]+/g, REASONS.email],
  [/https?:\/\/\S+/gi, REASONS.web],
  [/(?<!\d)\d{1,2}\/\d{1,2}\/\d{2,4}(?!\d)/g, REASONS.date],
];
const WITH_WORD =
  /(?<![\p{L}\p{N}])npi(?:[\s:#.]|no\b|number\b|is\b)*(?<digits>\d{10}(?!\d)|\d(?:[\d -]{4,18})\d)(?!\d)/iu;
/** The number as on an insurance card, with the prefix of health cards in the United States. */
const ON_CARD = /(?<![\d-])80840(?<digits>\d{10})(?!\d)/;
const PHONE =
  /(?<![\d-])(?:\+?1[\s.-]?)?(?:\([2-9]\d{2}\)\s?|[2-9]\d{2}[\s.-])\d{3}[\s.-]?\d{4}(?!\d)/g;
const LONG_PHONE = /(?<![\d-])\+?1[\s.-]?[2-9]\d{9}(?!\d)/g;
const TEN = /(?<![\d-])(?<digits>\d{10})(?![\d-])/g;
/** The reasons why a number is not the NPI that is looked up. */
const REASON_OF = {
  ok: REASONS.oneNpi,
  check_digit: REASONS.npiCheck,
  shape: REASONS.npiDigits,
};
/** Area codes don't start with 1. */
const GROUPED = /(?<![\d-])(?<digits>1\d{2,3}[ -]\d{3}[ -]\d{3,4})(?!\d)/;

/**
 * Reads NPIs, phone numbers, email addresses, dates and markup. Ten digits are an NPI if they start with 1, or with 2
 * and a right check digit, or if the word NPI is before them; otherwise they are a phone number.
 */
export function readNumbers(typed: string): NumbersRead {
  const notes: Note[] = [];
  let remaining = typed.replace(FULL_WIDTH_DIGIT, (digit) =>
    String.fromCharCode(digit.charCodeAt(0) - 0xfee0),
  );
  let npi: TypedNpi | null = null;

  const cut = (start: number, end: number, use: Partial<Note>): void => {
    notes.push({ start, end, ...use });
    remaining =
      remaining.slice(0, start) +
      " ".repeat(end - start) +
      remaining.slice(end);
  };
  const cutNpi = (match: RegExpExecArray): void => {
    const digits = (match.groups?.["digits"] ?? "").replaceAll(/\D/g, "");
    const number =
      digits.length === 15 && digits.startsWith("80840")
        ? digits.slice(5)
        : digits;
    const check = checkNpi(number);
    const isValid = check === "ok";
    // A valid NPI replaces one with a wrong check digit.
    const isFirst = npi === null || (isValid && !npi.isValid);
    if (isFirst && check !== "shape") npi = { npi: number, isValid };
    cut(
      match.index,
      match.index + match[0].length,
      isValid && isFirst ? { filter: "npi" } : { reason: REASON_OF[check] },
    );
  };

  for (const [pattern, reason] of NOISE)
    for (const { 0: text, index } of remaining.matchAll(pattern))
      cut(index, index + text.length, { reason });
  for (const pattern of [WITH_WORD, ON_CARD]) {
    const match = pattern.exec(remaining);
    if (match !== null) cutNpi(match);
  }
  for (const pattern of [PHONE, LONG_PHONE])
    for (const { 0: text, index } of remaining.matchAll(pattern))
      cut(index, index + text.length, { reason: REASONS.phone });
  for (const match of remaining.matchAll(TEN)) {
    const digits = match[0];
    if (
      digits.startsWith("1") ||
      (digits.startsWith("2") && checkNpi(digits) === "ok")
    )
      cutNpi(match);
    else cut(match.index, match.index + 10, { reason: REASONS.phone });
  }
  const grouped = GROUPED.exec(remaining);
  if (grouped?.[0].replaceAll(/\D/g, "").length === 10) cutNpi(grouped);
  return { remaining, notes, npi };
}
