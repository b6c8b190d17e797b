import { STATE_CODES, stateNumberOfName } from "../../../contract/states.ts";

/** Codes that are words, credentials or names too: read as states only where that is the only sense. */
export const AMBIGUOUS_CODES: ReadonlySet<string> = new Set(
  "AA AE AL AP AS CO DC DE HI ID IN LA MA MD ME MI MO MP MS MT ND NE OH OK OR PA PR SC VI".split(
    " ",
  ),
);

/** Of these, credentials that follow last names: JOHN SMITH PA is no one in Smith, Pennsylvania. */
export const CREDENTIAL_CODES: ReadonlySet<string> = new Set(
  "DC MA MD PA".split(" "),
);

/** The most words of a state's name. */
export const MAX_STATE_WORDS = 3;

/** The code of a state from its name or code, folded; null if it is none. */
export function stateCodeOf(folded: string): string | null {
  const number = stateNumberOfName(folded);
  return number === 0 ? null : (STATE_CODES[number - 1] ?? null);
}
