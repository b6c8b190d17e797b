import { commonCodesOf } from "../../aliases/common-specialties.ts";
import type { Word } from "../sentence.ts";
import type { Vocabulary } from "../vocabulary.ts";
import { isAbbreviation } from "../words/abbreviations.ts";
import { LEGAL_FORMS } from "../words/organization-words.ts";
import { stateCodeOf } from "../words/states.ts";
import { SUFFIXES } from "../words/titles.ts";

/** Two or three letters with a period between them: J.Q of J.Q. SMITH. */
const INITIALS = /^[A-Z]\.[A-Z](?:\.[A-Z])?$/i;

/** Words with each letter of initials as one: of J.Q. SMITH and of SMITH, J.Q. */
export function splitInitials(
  words: readonly Word[],
  vocabulary: Vocabulary,
): Word[] {
  return words.flatMap((word, at) => {
    const isSplit =
      INITIALS.test(word.text) &&
      !isAbbreviation(word.folded) &&
      (isBeforeLastName(words, at, vocabulary) ||
        isAfterLastName(words, at, vocabulary));
    return isSplit ? lettersOf(word) : [word];
  });
}

/** Whether a last name follows, and the letters with it are no organization: J.C. PENNEY. */
function isBeforeLastName(
  words: readonly Word[],
  at: number,
  vocabulary: Vocabulary,
): boolean {
  const next = words[at + 1];
  if (next === undefined || next.comma) return false;
  const whole = `${words[at]!.folded} ${next.folded}`;
  return (
    vocabulary.withLastName(next.folded) > 0 &&
    commonCodesOf(next.folded) === null &&
    !vocabulary.hasOrganization(whole) &&
    !vocabulary.startsOrganization(whole)
  );
}

function isAfterLastName(
  words: readonly Word[],
  at: number,
  vocabulary: Vocabulary,
): boolean {
  const { comma, folded } = words[at]!;
  const before = words[at - 1]?.folded ?? "";
  return (
    comma &&
    vocabulary.withLastName(before) > 0 &&
    stateCodeOf(folded) === null &&
    !SUFFIXES.has(folded) &&
    !LEGAL_FORMS.has(folded)
  );
}

/** The letters of a word, which are every other character of its text. */
function lettersOf(word: Word): Word[] {
  return Array.from(word.folded, (folded, index) => {
    const start = word.start + 2 * index;
    return {
      ...word,
      folded,
      text: word.text.charAt(2 * index),
      start,
      end: start + 1,
      comma: word.comma && index === 0,
      joined: word.joined && index === 0,
    };
  });
}
