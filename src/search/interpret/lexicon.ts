import { readFileSync } from "node:fs";
import { once } from "../../snapshot/bytes/once.ts";
import { REASONS } from "./reasons.ts";

/** What a phrase of the table is. */
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
  | "stop"
  | "suffix"
  | "title"
  | "user";

/** What the table has of a phrase. */
export interface Entry {
  /** A `Kind`. */
  readonly kind: string;
  readonly value: string;
}

/** The most words of a phrase of the table. */
export const MAX_LEXICON_WORDS = 4;

const load = once((): ReadonlyMap<string, readonly Entry[]> => {
  const text = readFileSync(new URL("words.csv", import.meta.url), "utf8");
  const lines = text.trim().split("\n").slice(1);
  return Map.groupBy(
    lines.map((line) => {
      const [kind = "", words = "", value = ""] = line.split(",");
      return { kind, value, words: words.toUpperCase() };
    }),
    ({ words }) => words,
  );
});

/** What our own table, `words.csv`, says of a folded phrase. */
export function entriesOf(folded: string): readonly Entry[] {
  return load().get(folded) ?? [];
}

/** The value of a phrase of one kind; null if the table doesn't have it. */
export function valueOf(folded: string, kind: Kind): string | null {
  return entriesOf(folded).find((entry) => entry.kind === kind)?.value ?? null;
}

export function isKind(folded: string, kind: Kind): boolean {
  return valueOf(folded, kind) !== null;
}

/** The city, and perhaps the state, that a folded short form such as NYC is for; null if it is none. */
export function longForm(
  folded: string,
): { city: string; state?: string } | null {
  const value = valueOf(folded, "city");
  if (value === null) return null;
  const [city = "", state] = value.split("/");
  return state === undefined ? { city } : { city, state };
}

/** The phrases of a kind with a value, folded. */
export function phrasesOf(kind: Kind, value: string): string[] {
  return [...load()].flatMap(([phrase, entries]) =>
    entries.some((each) => each.kind === kind && each.value === value)
      ? [phrase]
      : [],
  );
}

/** The reason that a stop phrase of the table names by its key. */
export function reasonOf(key: string): string {
  const reasons: Readonly<Record<string, string>> = REASONS;
  return reasons[key] ?? key;
}
