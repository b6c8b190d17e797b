import { fold, words } from "../../text/fold.ts";
import type {
  Dictionary,
  NumberRange,
} from "../../snapshot/dictionary/dictionary.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { NamePairs } from "../filters/name-pairs.ts";
import type { Proposal } from "./proposal.ts";
import { topNumbers } from "./top-numbers.ts";
import type { TypedEnd } from "./typed-end.ts";

/** How many of each field are proposed. */
const MOST = 5;
/** The most words of a last name. */
const MAX_NAME_WORDS = 4;

/** Last and first names that start with the typed phrase. With a name before it, those that persons have with it. */
export function* namesFor(
  snapshot: Snapshot,
  end: TypedEnd,
  nameBefore: string,
): Generator<Proposal, void> {
  if (end.size > MAX_NAME_WORDS) return;
  const { firstName, firstNameDocs, firstNames } = snapshot;
  const { lastNames, name, nameDocs } = snapshot;
  const before = fold(nameBefore);
  const lasts = startingWith(lastNames, end.phrase);
  const firsts = startingWith(firstNames, end.phrase);
  if (before === "") {
    yield* all(end, lastNames, lasts, (number) => docsOf(nameDocs, number));
    yield* all(end, firstNames, firsts, (number) =>
      docsOf(firstNameDocs, number),
    );
    return;
  }
  const [firstBefore, lastBefore] = [firstNames, lastNames].map((dictionary) =>
    equalToOneOf(dictionary, [before, words(before)[0] ?? ""]),
  );
  if (firstBefore !== null && firstBefore !== undefined) {
    const pairs = new NamePairs(snapshot, [lasts], [firstBefore]);
    yield* all(end, lastNames, lasts, countsOf(pairs, name, lasts));
  }
  if (lastBefore !== null && lastBefore !== undefined) {
    const pairs = new NamePairs(snapshot, [lastBefore], [firsts]);
    yield* all(end, firstNames, firsts, countsOf(pairs, firstName, firsts));
  }
}

function all(
  end: TypedEnd,
  dictionary: Dictionary,
  range: NumberRange,
  providersOf: (number: number) => number,
): Proposal[] {
  return topNumbers(range, MOST, providersOf).map(({ number, providers }) => {
    const text = dictionary.spelling(number) ?? "";
    return { kind: "name", end, text, providers, filters: { name: text } };
  });
}

/** How many of some pairs have each number of a range in a column. */
function countsOf(
  pairs: NamePairs,
  column: Uint32Array,
  { from, to }: NumberRange,
): (number: number) => number {
  const counts = new Uint32Array(to - from);
  pairs.eachList((items, start, end) => {
    for (let at = start; at < end; at++) {
      const number = column[items[at]!]!;
      if (number >= from && number < to) counts[number - from]!++;
    }
  });
  return (number) => counts[number - from]!;
}

function startingWith(dictionary: Dictionary, prefix: string): NumberRange {
  return dictionary.withPrefix(Buffer.from(prefix));
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

function docsOf({ starts }: Postings, number: number): number {
  return starts[number + 1]! - starts[number]!;
}
