import type { InterpretedFilters } from "../../contract/interpret.ts";
import { fold, words } from "../../text/fold.ts";
import { commonTexts } from "../aliases/common-specialties.ts";
import { EditRows } from "../spelling/edit-rows.ts";
import type { Spelling } from "../spelling/spelling.ts";
import type { Reading } from "./interpret.ts";
import type { AskedOperation } from "./total-of.ts";

/** Words of a name that are compared with others, at most. */
const MAX_CORRECTED_WORDS = 3;
const MAX_CORRECTED_CITY_WORDS = 3;
/** A longer name is not compared with specialties. */
const MAX_WORDS_WITH_SPECIALTY = 6;
const MAX_SPECIALTY_WORDS = 3;
const MIN_SPECIALTY_LETTERS = 6;
const MAX_SPECIALTY_EDITS = 2;

/** Other spellings of a reading, the likeliest first: of its specialty, its city, and its name. */
export function* otherSpellings(
  { filters, operation }: Reading,
  spelling: Spelling,
): Generator<AskedOperation, void> {
  if (operation !== "search" && operation !== "nearby") return;
  for (const other of specialtiesFor(filters))
    yield { operation, filters: other };
  // A nearby search has no city.
  if (operation === "search" && filters.zip === undefined)
    for (const other of citiesFor(filters, spelling))
      yield { operation, filters: other };
  for (const other of namesFor(filters, spelling))
    yield { operation, filters: other };
}

/** The name, or its end or start, as a misspelled specialty, if there is none yet. */
export function specialtiesFor(
  filters: InterpretedFilters,
): InterpretedFilters[] {
  const { name, ...rest } = filters;
  if (rest.specialty !== undefined) return [];
  const parts = (name ?? "").split(" ");
  if (parts.length > MAX_WORDS_WITH_SPECIALTY) return [];
  const most = Math.min(parts.length, MAX_SPECIALTY_WORDS);
  for (let size = most; size > 0; size--)
    for (let from = 0; from + size <= parts.length; from++) {
      const typed = fold(parts.slice(from, from + size).join(" "));
      const specialty = nearestText(typed);
      if (specialty === null) continue;
      const left = [...parts.slice(0, from), ...parts.slice(from + size)];
      const named = left.length === 0 ? {} : { name: left.join(" ") };
      return [
        {
          ...rest,
          ...named,
          specialty: specialty.toLowerCase(),
          specialty_scope: "common",
        },
      ];
    }
  return [];
}

/** The text of the table of everyday words that is nearest to a folded one; null if none is near. */
function nearestText(typed: string): string | null {
  if (typed.length < MIN_SPECIALTY_LETTERS) return null;
  const rows = new EditRows(points(typed), MAX_SPECIALTY_EDITS);
  let nearest: string | null = null;
  let most = MAX_SPECIALTY_EDITS + 1;
  for (const text of commonTexts()) {
    if (Math.abs(text.length - typed.length) >= most) continue;
    rows.length = 0;
    const isNear = points(text).every((point) => rows.add(point));
    if (!isNear || rows.edits >= most) continue;
    most = rows.edits;
    nearest = text;
  }
  return nearest;
}

/** The code points of a text. */
function points(text: string): Int32Array {
  return Int32Array.from(text, (each) => each.codePointAt(0)!);
}

/** The city, or the end of the name if no city is typed, as a misspelled city. */
function citiesFor(
  filters: InterpretedFilters,
  spelling: Spelling,
): InterpretedFilters[] {
  const { city, name, ...base } = filters;
  const { state = null } = filters;
  const corrected = (typed: string, more: InterpretedFilters) =>
    spelling
      .cities(fold(typed), state)
      .slice(0, 2)
      .map(({ word }) => replaced(base, { ...more, city: word.toLowerCase() }));
  if (city !== undefined)
    return corrected(city, name === undefined ? {} : { name });
  if (name === undefined) return [];
  const parts = name.split(" ");
  const size = Math.min(parts.length, MAX_CORRECTED_CITY_WORDS);
  const whole = corrected(parts.slice(-size).join(" "), restOf(parts, size));
  return whole.length > 0 || size === 1
    ? whole
    : corrected(parts.at(-1) ?? "", restOf(parts, 1));
}

/** The name without its last words. */
function restOf(parts: readonly string[], size: number): InterpretedFilters {
  const left = parts.slice(0, -size);
  return left.length === 0 ? {} : { name: left.join(" ") };
}

/** The name with its misspelled words corrected: all of them, then each. */
function namesFor(
  filters: InterpretedFilters,
  spelling: Spelling,
): InterpretedFilters[] {
  const { first_name: first, last_name: last, name, organization } = filters;
  const withEach = (
    filter: "first_name" | "last_name" | "name" | "organization",
    texts: readonly string[],
  ) => texts.map((text) => replaced(filters, { [filter]: text }));
  if (organization !== undefined)
    return withEach(
      "organization",
      corrections(organization, (word) => spelling.names(word, ["word"])),
    );
  if (name !== undefined)
    return withEach(
      "name",
      corrections(name, (word) => spelling.names(word)),
    );
  if (last === undefined || first === undefined) return [];
  const lasts = corrections(last, (word) => spelling.names(word, ["last"]));
  const firsts = corrections(first, (word) => spelling.names(word, ["first"]));
  const both =
    lasts[0] !== undefined && firsts[0] !== undefined
      ? [replaced(filters, { last_name: lasts[0], first_name: firsts[0] })]
      : [];
  return [
    ...both,
    ...withEach("last_name", lasts),
    ...withEach("first_name", firsts),
  ];
}

function replaced(
  filters: InterpretedFilters,
  others: InterpretedFilters,
): InterpretedFilters {
  return { ...filters, ...others };
}

/** A text with its misspelled words corrected: all of them, and then each, if they are several. */
function corrections(
  text: string,
  suggest: (word: string) => readonly { readonly word: string }[],
): string[] {
  const parts = text.split(" ");
  const found = new Map<number, string>();
  parts.slice(0, MAX_CORRECTED_WORDS).forEach((part, index) => {
    const folded = fold(part);
    if (words(folded).length !== 1) return;
    const [best] = suggest(folded);
    if (best !== undefined) found.set(index, best.word.toLowerCase());
  });
  if (found.size === 0) return [];
  const all = parts.map((part, index) => found.get(index) ?? part).join(" ");
  return found.size === 1
    ? [all]
    : [
        all,
        ...[...found].map(([index, word]) => parts.with(index, word).join(" ")),
      ];
}
