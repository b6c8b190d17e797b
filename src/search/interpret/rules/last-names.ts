import type { Draft } from "../draft.ts";
import type { Vocabulary } from "../vocabulary.ts";

/** Starts of last names that are written with and without a space: only `name` finds both. */
export const NAME_STARTS = new Set(["O", "D", "MC", "MAC"]);
/** How many times as many may be called like the rest of a last name only. */
const TIMES_WITHOUT_START = 10;

/** Whether a word is the start of a last name, as in O BRIEN, rather than an initial before one. */
export function startsLastName(
  draft: Draft,
  vocabulary: Vocabulary,
  at: number,
): boolean {
  const start = draft.at(at);
  const rest = draft.at(at + 1);
  if (!NAME_STARTS.has(start) || rest === "") return false;
  const whole =
    vocabulary.withLastName(start + rest) +
    vocabulary.withLastName(`${start} ${rest}`);
  return (
    whole > 0 && whole * TIMES_WITHOUT_START >= vocabulary.withLastName(rest)
  );
}

/** The first name of "last, first": the first free word after its comma; -1 if it isn't that. */
export function firstAfterComma(draft: Draft): number {
  const free = draft.free();
  const commas = free.slice(1).filter((at, index) => {
    const before = free[index]!;
    return draft.words.slice(before + 1, at + 1).some(({ comma }) => comma);
  });
  const [first = -1] = commas;
  return commas.length === 1 ? first : -1;
}
