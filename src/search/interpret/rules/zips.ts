import type { Draft } from "../draft.ts";
import { REASONS } from "../words/reasons.ts";

const ZIP = /^\d{5}$/;
const ZIP_AND_FOUR = /^\d{9}$/;
const FOUR = /^\d{4}$/;
const SHORT_ZIP = /^\d{3,4}$/;
const ZIP_DIGITS = 5;
const NPI_START = /^[12]/;
const DIGITS = /^\d+$/;
const ZIP_WORDS = ["ZIP CODE", "POSTAL CODE", "ZIPCODE", "ZIP"];

/** Understands ZIP codes. After the word ZIP, leading zeros may be missing: spreadsheets lose them. */
export function readZips(draft: Draft): void {
  for (let at = 0; at < draft.words.length; at++) {
    const start = at;
    for (const phrase of ZIP_WORDS) {
      const to = at + phrase.split(" ").length;
      if (!draft.areFree(start, to + 1) || draft.phrase(start, to) !== phrase)
        continue;
      if (DIGITS.test(draft.at(to))) at = to;
      break;
    }
    if (!draft.isFree(at)) continue;
    const word = draft.at(at);
    const isAfterWord = at > start;
    if (ZIP.test(word)) {
      const hasFour =
        draft.isFree(at + 1) &&
        draft.words[at + 1]!.joined &&
        FOUR.test(draft.at(at + 1));
      takeZip(draft, start, at + (hasFour ? 2 : 1), word);
    } else if (ZIP_AND_FOUR.test(word)) {
      takeZip(draft, start, at + 1, word.slice(0, ZIP_DIGITS));
      if (draft.words.length === 1) noteShortNpi(draft);
    } else if (isAfterWord && SHORT_ZIP.test(word)) {
      takeZip(draft, start, at + 1, word.padStart(5, "0"));
    }
  }
}

/** Says of the only word, a ZIP code with four more digits, that it may be an NPI that lacks a digit. */
function noteShortNpi(draft: Draft): void {
  if (!NPI_START.test(draft.at(0))) return;
  draft.notes = draft.notes.flatMap((note) => {
    if (note.filter !== "zip") return [note];
    const end = note.start + ZIP_DIGITS;
    return [
      { ...note, end },
      { start: end, end: note.end, reason: REASONS.npiOrZip },
    ];
  });
}

/** Drops numbers that nothing else took. */
export function dropNumbers(draft: Draft): void {
  for (const at of draft.free())
    if (DIGITS.test(draft.at(at))) draft.drop(at, at + 1, REASONS.number);
}

function takeZip(draft: Draft, from: number, to: number, zip: string): void {
  const known = (draft.filters.zip ??= zip);
  if (!draft.notes.some(({ filter }) => filter === "zip"))
    draft.take(from, to, "zip");
  else draft.drop(from, to, known === zip ? REASONS.said : REASONS.oneZip);
}
