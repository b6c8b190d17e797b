import { fold, words as wordsOf } from "../../text/fold.ts";
import { commonCodesOf } from "../aliases/common-specialties.ts";
import { entriesOf, isKind } from "./lexicon.ts";

/** Letters with a period after each, before a name. */
const BEFORE_NAME = /^(?:[A-Z]\.)+(?=['’]?[A-Z]['’]?[A-Z])/i;
/** A name with a period after it, before another one: JOHN of JOHN.SMITH. */
const BEFORE_PERIOD = /^\p{L}{2,}\.(?=\p{L}[\p{L}'’]+$)/u;

/** A word of what was typed. */
export interface Word {
  /** Folded (`text/fold`). */
  readonly folded: string;
  /** As typed, without periods around it. */
  readonly text: string;
  /** Its place in what was typed. */
  readonly start: number;
  readonly end: number;
  /** True if a comma is between it and the word before. */
  readonly comma: boolean;
  /** True if only a hyphen or a slash is between it and the word before. */
  readonly joined: boolean;
  /** True if a colon or an equals sign follows: CITY of `city: chicago`. */
  readonly label: boolean;
  /** True if it is typed in capitals. */
  readonly capitals: boolean;
}

/** Most words that are read. Those after them are dropped. */
export const MAX_WORDS = 40;

/** Letters and digits, with what folding drops between them. */
const IN_WORD = /[\p{L}\p{N}\p{M}'`.´‘’‛ʹʻʼʽˈ′＇․．]/u;
const COMMA = /[,;]/;
const LABELS = /^\s*[:=]/;
const JOINED = /^[-/\u2010-\u2015]$/;
const POSSESSIVE = /['’]s$/i;
/** Things that providers have: SMITH'S OFFICE. */
const OWNED = /^\s+(?:office|practice|npi|phone|fax|number|address|license)\b/i;
const PERIODS = /^[.'’]+|[.'’]+$/g;

/** Reads the words of a text, with their places in it. J.SMITH and JOHN.SMITH are two. */
export function readWords(typed: string): Word[] {
  const readable: Word[] = [];
  let before = 0;
  for (const [start, end] of wordSpans(typed)) {
    const run = typed.slice(start, end);
    const between = typed.slice(before, start);
    const isOwner = POSSESSIVE.test(run) && OWNED.test(typed.slice(end));
    const bare = isOwner ? run.replace(POSSESSIVE, "") : run;
    const text = bare.replace(PERIODS, "");
    wordsOf(fold(bare)).forEach((folded, index) => {
      readable.push({
        folded,
        text,
        start,
        end,
        comma: index === 0 && readable.length > 0 && COMMA.test(between),
        joined: index === 0 && readable.length > 0 && JOINED.test(between),
        label: LABELS.test(typed.slice(end)),
        capitals: text === text.toUpperCase(),
      });
      before = end;
    });
  }
  return readable;
}

/** Joins the folded words of some with spaces. */
export function phraseOf(words: readonly Word[]): string {
  return words.map(({ folded }) => folded).join(" ");
}

/** Joins words as typed, with hyphens between those that are joined by one. */
export function typedText(words: readonly Word[]): string {
  return words
    .map(({ joined, text }, index) =>
      index === 0 ? text : `${joined ? "-" : " "}${text}`,
    )
    .join("");
}

/** True if it is a sign that is read as a word: &. */
export function isSign({ folded, text }: Word): boolean {
  return folded === "AND" && !/\p{L}/u.test(text);
}

/** True if letters, folded, are more likely an abbreviation than initials: MD, NYC, ENT. */
export function isAbbreviation(letters: string): boolean {
  return entriesOf(letters).length > 0 || commonCodesOf(letters) !== null;
}

/**
 * Finds the start and end of each word. Initials, and a word with a period, are apart from a name that follows without
 * a space.
 */
function* wordSpans(typed: string): Generator<[start: number, end: number]> {
  for (const [start, end] of spansOf(typed)) {
    const run = typed.slice(start, end);
    const initials = BEFORE_NAME.exec(run)?.[0] ?? "";
    const first = BEFORE_PERIOD.exec(run)?.[0] ?? initials;
    if (first === "" || isKind(fold(run), "credential")) {
      yield [start, end];
      continue;
    }
    const name = start + first.length;
    if (initials === "" || isAbbreviation(fold(initials))) yield [start, name];
    else for (let at = start; at < name; at += 2) yield [at, at + 2];
    yield [name, end];
  }
}

/** Finds the runs of characters that folding keeps, or drops without a space. `&` is one by itself. */
function* spansOf(typed: string): Generator<[start: number, end: number]> {
  let start = -1;
  let at = 0;
  for (const character of typed) {
    const folded = fold(character);
    const isAnd = folded === "AND";
    // Symbols such as ™ are letters when folded.
    const isInWord = !isAnd && (IN_WORD.test(character) || folded !== "");
    if (isInWord && start < 0) start = at;
    if (!isInWord && start >= 0) {
      yield [start, at];
      start = -1;
    }
    const end = at + character.length;
    if (isAnd) yield [at, end];
    at = end;
  }
  if (start >= 0) yield [start, at];
}
