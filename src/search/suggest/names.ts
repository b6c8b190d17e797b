import { fold, words } from "../../text/fold.ts";
import type {
  Dictionary,
  NumberRange,
} from "../../snapshot/dictionary/dictionary.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { commonCodesOf } from "../aliases/common-specialties.ts";
import { isKind } from "../interpret/lexicon.ts";
import type { LastTokens, Proposal } from "./last-tokens.ts";

/** The number of proposals of each field. */
const MOST = 5;
/** Shorter starts are of too many organizations. */
const MIN_LETTERS = 3;
const MIN_WORD_LETTERS = 5;
/** A word of a name says as much as a name that a fourth as many have. */
const PROVIDERS_PER_WORD = 4;
/** The most words of a last name. */
const MAX_NAME_WORDS = 4;

/** A range of first or last names, the providers with each, and the name of each provider. */
interface Names extends NumberRange {
  readonly docs: Postings;
  readonly column: Uint32Array;
}

/** Proposes first and last names that start with the typed phrase. After a name, those that persons have with it. */
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

/** Finds the entries of the first text that the dictionary has; null if it has none. */
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
interface TopNumber {
  readonly number: number;
  readonly providers: number;
}

/** Finds the numbers of a range with the most providers, at most `count`, those with the most first. */
function topNumbers(
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

/** Proposes organizations whose name starts with the typed phrase, and words of names that do. */
export function* organizationsFor(
  snapshot: Snapshot,
  tokens: LastTokens,
): Generator<Proposal, void> {
  if (tokens.phrase.length < MIN_LETTERS) return;
  const { lastNames, nameDocs, organizations } = snapshot;
  const prefix = Buffer.from(tokens.phrase);
  const named = topNumbers(organizations.withPrefix(prefix), MOST, (number) => {
    const at = number + lastNames.count;
    return nameDocs.starts[at + 1]! - nameDocs.starts[at]!;
  });
  for (const { number, providers } of named)
    yield proposalOf(tokens, organizations.spelling(number) ?? "", providers);
  if (tokens.size > 1) return;
  const { organizationWordField, organizationWords } = snapshot;
  const { starts } = organizationWordField.docs;
  const parts = topNumbers(
    organizationWords.withPrefix(prefix),
    MOST,
    (number) => starts[number + 1]! - starts[number]!,
  );
  for (const { number, providers } of parts) {
    const word = organizationWords.folded(number);
    // Words of nearly all organizations say nothing.
    if (
      word.length >= MIN_WORD_LETTERS &&
      !isKind(word, "organization") &&
      commonCodesOf(word) === null
    )
      yield proposalOf(tokens, word, providers / PROVIDERS_PER_WORD);
  }
}

function proposalOf(
  tokens: LastTokens,
  text: string,
  providers: number,
): Proposal {
  const filters = { organization: text };
  return { kind: "organization", tokens, text, providers, filters };
}
