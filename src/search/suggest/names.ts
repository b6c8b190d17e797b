import { fold, words } from "../../text/fold.ts";
import type {
  Dictionary,
  NumberRange,
} from "../../snapshot/dictionary/dictionary.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { Proposal } from "./proposal.ts";
import type { LastTokens } from "./last-tokens.ts";

/** The number of proposals of each field. */
const MOST = 5;
/** The most words of a last name. */
const MAX_NAME_WORDS = 4;

/** A range of first or last names, the providers with each, and the name of each provider. */
interface Names extends NumberRange {
  readonly docs: Postings;
  readonly column: Uint32Array;
}

/** Last and first names that start with the typed phrase. With a name before it, those that persons have with it. */
export function* namesFor(
  snapshot: Snapshot,
  tokens: LastTokens,
  nameBefore: string,
): Generator<Proposal, void> {
  if (tokens.size > MAX_NAME_WORDS) return;
  const { firstName, firstNameDocs, firstNames } = snapshot;
  const { lastNames, name, nameDocs } = snapshot;
  const firsts = [firstNames, firstNameDocs, firstName] as const;
  const lasts = [lastNames, nameDocs, name] as const;
  const before = fold(nameBefore);
  const texts = [before, words(before)[0] ?? ""];
  for (const [field, other] of [
    [lasts, firsts],
    [firsts, lasts],
  ] as const) {
    const [dictionary, docs, column] = field;
    const [others, otherDocs, otherColumn] = other;
    const range = dictionary.withPrefix(Buffer.from(tokens.phrase));
    if (before === "")
      yield* all(tokens, dictionary, range, (number) =>
        listed({ docs, from: number, to: number + 1 }),
      );
    const given = before === "" ? null : equalToOneOf(others, texts);
    if (given === null) continue;
    const counts = countsOf(
      { ...range, docs, column },
      { ...given, docs: otherDocs, column: otherColumn },
    );
    yield* all(tokens, dictionary, range, counts);
  }
}

function all(
  tokens: LastTokens,
  dictionary: Dictionary,
  range: NumberRange,
  providersOf: (number: number) => number,
): Proposal[] {
  return topNumbers(range, MOST, providersOf).map(({ number, providers }) => {
    const text = dictionary.spelling(number) ?? "";
    return { kind: "name", tokens, text, providers, filters: { name: text } };
  });
}

/** Counts the providers with each of the typed names and one of some others. Reads the shorter of their lists. */
function countsOf(typed: Names, others: Names): (number: number) => number {
  const size = typed.to - typed.from;
  const counts = new Uint32Array(size);
  const isShorter = listed(typed) < listed(others);
  const { docs, from, to } = isShorter ? typed : others;
  const end = docs.starts[to]!;
  for (let at = docs.starts[from]!; at < end; at++) {
    const doc = docs.items[at]!;
    const index = (typed.column[doc]! - typed.from) >>> 0;
    if (index >= size) continue;
    const other = others.column[doc]!;
    if (other >= others.from && other < others.to) counts[index]!++;
  }
  return (number) => counts[number - typed.from]!;
}

function listed({ docs, from, to }: Omit<Names, "column">): number {
  return docs.starts[to]! - docs.starts[from]!;
}

/** The entries of the first text that the dictionary has; null if it has none. */
function equalToOneOf(
  dictionary: Dictionary,
  texts: readonly string[],
): NumberRange | null {
  for (const text of texts) {
    const range = dictionary.equalTo(Buffer.from(text));
    if (range.from < range.to) return range;
  }
  return null;
}

/** A number of a dictionary, and how many providers have it. */
export interface TopNumber {
  readonly number: number;
  readonly providers: number;
}

/** The numbers of a range with the most providers, at most `count`, those with the most first. */
export function topNumbers(
  { from, to }: NumberRange,
  count: number,
  providersOf: (number: number) => number,
): TopNumber[] {
  const top: TopNumber[] = [];
  let least = 0;
  for (let number = from; number < to; number++) {
    const providers = providersOf(number);
    if (providers <= least) continue;
    let at = top.length;
    while (at > 0 && top[at - 1]!.providers < providers) at--;
    top.splice(at, 0, { number, providers });
    if (top.length > count) top.pop();
    if (top.length === count) least = top.at(-1)!.providers;
  }
  return top;
}
