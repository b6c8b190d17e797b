/** What is suggested for a misspelled word, read off the rules: every word is compared by plain recursion. */

import { words } from "../../../../src/text/fold.ts";
import { compareText } from "./reference-place.ts";
import { isSameCity, referenceCity, referenceFold } from "./reference-fold.ts";

/** A provider as far as suggestions go; the state is a known one, or null. */
export interface SpelledProvider {
  readonly last?: string;
  readonly first?: string;
  readonly organization?: string;
  readonly city: string;
  readonly state: string | null;
}

/** A suggestion as one line: word, edits, and numbers of providers. */
type Line = string;

/** The fewest insertions, deletions, substitutions, and swaps of neighbors that make one text of another. */
export function editsBetween(one: string, other: string): number {
  const [a, b] = [Array.from(one), Array.from(other)];
  const known = new Map<string, number>();
  const between = (i: number, j: number): number => {
    const key = `${i} ${j}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const ways: number[] = [];
    if (i === a.length && j === b.length) ways.push(0);
    if (i < a.length) ways.push(1 + between(i + 1, j));
    if (j < b.length) ways.push(1 + between(i, j + 1));
    if (i < a.length && j < b.length)
      ways.push((a[i] === b[j] ? 0 : 1) + between(i + 1, j + 1));
    if (
      i + 1 < a.length &&
      j + 1 < b.length &&
      a[i] === b[j + 1] &&
      a[i + 1] === b[j]
    )
      ways.push(1 + between(i + 2, j + 2));
    const least = Math.min(...ways);
    known.set(key, least);
    return least;
  };
  return between(0, 0);
}

/**
 * The five people's names that are nearest to two words, then of most providers, as lines of edits and providers: names
 * that are as near and as frequent have no order.
 */
export function referencePeople(
  providers: readonly SpelledProvider[],
  first: string,
  last: string,
): Line[] {
  const counts = new Map<string, number>();
  for (const each of providers) {
    const [one, two] = [each.first ?? "", each.last ?? ""].map(referenceFold);
    if (!one || !two) continue;
    counts.set(`${one}/${two}`, (counts.get(`${one}/${two}`) ?? 0) + 1);
  }
  return [...counts]
    .map(([key, count]) => {
      const [one = "", two = ""] = key.split("/");
      const edits = [editsBetween(first, one), editsBetween(last, two)];
      const isNear = edits.every(
        (each, at) =>
          each <= (Array.from([first, last][at]!).length > 3 ? 2 : 1),
      );
      const sum = edits[0]! + edits[1]!;
      return { sum: isNear ? sum : Infinity, count, name: `${one} ${two}` };
    })
    .filter(({ sum }) => sum > 0 && sum <= 2)
    .sort((a, b) => a.sum - b.sum || b.count - a.count)
    .slice(0, 5)
    .map(({ count, sum }) => `${sum} ${count}`);
}

/** Lines as `BROWN 1 last 20 first 3 word 0`. */
export function referenceNames(
  providers: readonly SpelledProvider[],
  typed: string,
  dictionaries: readonly ("first" | "last" | "word")[],
): Line[] {
  const counts = { last: 0, first: 0, word: 0 };
  const all = new Map<string, typeof counts>();
  const note = (which: keyof typeof counts, word: string): void => {
    const known = all.get(word) ?? { ...counts };
    known[which]++;
    all.set(word, known);
  };
  for (const { first, last, organization } of providers) {
    if (last !== undefined) note("last", referenceFold(last));
    if (first !== undefined) note("first", referenceFold(first));
    if (organization !== undefined)
      for (const word of new Set(words(referenceFold(organization))))
        note("word", word);
  }
  const sums = new Map(
    [...all].map(([word, each]) => [
      word,
      dictionaries.reduce((sum, which) => sum + each[which], 0),
    ]),
  );
  return suggested(sums, typed).map(({ edits, word }) => {
    const each = all.get(word)!;
    const asked = (which: keyof typeof counts): string =>
      `${which} ${dictionaries.includes(which) ? each[which] : 0}`;
    return `${word} ${edits} ${asked("last")} ${asked("first")} ${asked("word")}`;
  });
}

/** Lines as `SAINT PAUL 2 30: MN 25 WI 4`; one of the thirty is in another country. */
export function referenceCities(
  providers: readonly SpelledProvider[],
  typed: string,
  state: string | null,
): Line[] {
  const asked = referenceCity(typed);
  const spelled = providers
    .map((each) => ({ ...each, city: referenceCity(each.city) }))
    .filter(({ city }) => city !== "");
  const sums = new Map<string, number>();
  const states = new Map<string, Map<string, number>>();
  for (const all of Object.values(
    Object.groupBy(spelled, ({ city }) => city.split(" ").join("")),
  )) {
    const spellings = new Set(all?.map(({ city }) => city));
    if (isSameCity([...spellings][0] ?? "", asked)) spellings.add(asked);
    // One of several spellings is suggested: the nearest, then the first.
    const [nearest = ""] = [...spellings].sort(
      (a, b) =>
        editsBetween(asked, a) - editsBetween(asked, b) || compareText(a, b),
    );
    sums.set(
      nearest,
      all?.filter((each) => state === null || each.state === state).length ?? 0,
    );
    const known = all?.flatMap((each) => each.state ?? []) ?? [];
    states.set(
      nearest,
      new Map(
        Object.entries(Object.groupBy(known, (code) => code)).map(
          ([code, of]) => [code, of?.length ?? 0],
        ),
      ),
    );
  }
  return suggested(sums, asked).map(({ edits, providers: sum, word }) =>
    [
      `${word} ${edits} ${sum}:`,
      ...[...(states.get(word) ?? [])]
        .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
        .map(([code, count]) => `${code} ${count}`),
    ].join(" "),
  );
}

interface Suggested {
  readonly word: string;
  readonly edits: number;
  readonly providers: number;
}

function suggested(
  sums: ReadonlyMap<string, number>,
  typed: string,
): Suggested[] {
  const { length } = Array.from(typed);
  if (length < 3 || length > 30) return [];
  const near = [...sums]
    .map(([word, providers]) => ({
      word,
      providers,
      edits: editsBetween(typed, word),
    }))
    .filter(
      ({ edits, providers }) =>
        edits > 0 &&
        edits <= (length <= 4 ? 1 : 2) &&
        providers > 0 &&
        providers >= 10 * (sums.get(typed) ?? 0),
    );
  return near
    .filter(({ edits, providers }) =>
      near.every(
        (other) => other.edits > edits || other.providers <= 100 * providers,
      ),
    )
    .sort(
      (a, b) =>
        a.edits - b.edits ||
        b.providers - a.providers ||
        Number(startsAlike(b.word, typed)) -
          Number(startsAlike(a.word, typed)) ||
        (a.word < b.word ? -1 : 1),
    )
    .slice(0, 5);
}

function startsAlike(one: string, other: string): boolean {
  return one.codePointAt(0) === other.codePointAt(0);
}
