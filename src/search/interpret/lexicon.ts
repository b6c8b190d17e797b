import { readFileSync } from "node:fs";
import { STATE_CODES, stateNumberOfName } from "../../contract/states.ts";
import { once } from "../../snapshot/bytes/once.ts";
import { REASONS } from "./reasons.ts";

/** The kind of a phrase of the table. */
type Kind =
  | "any"
  | "center"
  | "city"
  | "credential"
  | "entity"
  | "join"
  | "label"
  | "legal"
  | "near"
  | "organization"
  | "pair"
  | "stop"
  | "suffix"
  | "title"
  | "user";

/** A sense of a phrase in the table. */
export interface Entry {
  /** A `Kind`. */
  readonly kind: string;
  readonly value: string;
}

/** The most words of a phrase of the table. */
export const MAX_LEXICON_WORDS = 4;
/** The most words of a state, with STATE OF before it. */
export const MAX_STATE_WORDS = 5;
/** Words that people add to the name of a state. */
const ADDED = /^STATE OF |(?<=.) STATE$|^(?:U S|US) (?=VIRGIN)/g;

const load = once((): ReadonlyMap<string, readonly Entry[]> => {
  const text = readFileSync(new URL("words.csv", import.meta.url), "utf8");
  const lines = text.trim().split("\n").slice(1);
  return Map.groupBy(
    lines.flatMap((line) => {
      const [kind = "", phrases = "", value = ""] = line.split(",");
      const all = phrases.toUpperCase().split("; ");
      return all.map((words) => ({ kind, value, words }));
    }),
    ({ words }) => words,
  );
});

/** Finds a folded phrase in our own table, `words.csv`, whose rows have the phrases of one meaning. */
export function entriesOf(folded: string): readonly Entry[] {
  return load().get(folded) ?? [];
}

/** Returns the value of a phrase of one kind; null if the table doesn't have it. */
export function valueOf(folded: string, kind: Kind): string | null {
  return entriesOf(folded).find((entry) => entry.kind === kind)?.value ?? null;
}

export function isKind(folded: string, kind: Kind): boolean {
  return valueOf(folded, kind) !== null;
}

/** Returns the city, and perhaps the state, that a folded short form such as NYC is for; null if it is none. */
export function longForm(
  folded: string,
): { city: string; state?: string } | null {
  const value = valueOf(folded, "city");
  if (value === null) return null;
  const [city = "", state] = value.split("/");
  return state === undefined ? { city } : { city, state };
}

/** Finds the code of a state from its name or code, folded, such as TX or STATE OF TEXAS; null if it is none. */
export function stateCodeOf(folded: string): string | null {
  const number = stateNumberOfName(folded.replace(ADDED, ""));
  return number === 0 ? null : (STATE_CODES[number - 1] ?? null);
}

/** Lists the phrases of a kind with a value, folded. */
export function phrasesOf(kind: Kind, value: string): string[] {
  return [...load()].flatMap(([phrase, entries]) =>
    entries.some((each) => each.kind === kind && each.value === value)
      ? [phrase]
      : [],
  );
}

/** Returns the reason that a stop phrase of the table names by its key. */
export function reasonOf(key: string): string {
  const reasons: Readonly<Record<string, string>> = REASONS;
  return reasons[key] ?? key;
}
