import { STATE_CODES, stateNumberOfName } from "../../contract/states.ts";

/** The most words of a state, with STATE OF before it. */
export const MAX_STATE_WORDS = 5;
/** What people add to the name of a state. */
const ADDED = /^STATE OF |(?<=.) STATE$|^(?:U S|US) (?=VIRGIN)/g;

/** The code of a state from its name or code, folded, such as TX or STATE OF TEXAS; null if it is none. */
export function stateCodeOf(folded: string): string | null {
  const number = stateNumberOfName(folded.replace(ADDED, ""));
  return number === 0 ? null : (STATE_CODES[number - 1] ?? null);
}
