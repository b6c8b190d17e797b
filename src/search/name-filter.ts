import { NumberSet } from "../snapshot/number-set.ts";
import { itemsOf } from "../snapshot/postings.ts";
import {
  matchOrganizations,
  type OrganizationMatches,
} from "./organization-filter.ts";
import { listedDocs, Tier, type TextFilter } from "./text-filter.ts";
import type { NumberRange } from "../snapshot/dictionary.ts";
import type { WordMatches } from "../snapshot/grams.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** Where one word of the value is found. */
interface WordPlaces {
  last: WordMatches;
  first: WordMatches;
  docCount: number;
}

/** The same as the bits of sets (snapshot/number-set.ts); `lasts` cover the whole column `name`. */
interface WordSets {
  lasts: Uint32Array;
  lastBegins: Uint32Array;
  firsts: Uint32Array;
  firstBegins: Uint32Array;
}

/** The sets of all words, and the organizations that all words are in. */
interface NameSets {
  words: WordSets[];
  organizations: Uint32Array;
  organizationsBegin: Uint32Array;
}

/** A first name and a last name that are the whole value together. */
interface FullName {
  first: NumberRange;
  last: NumberRange;
}

/** The filter `name`: each word is in the first name, the last name, or the organization name. */
export class NameFilter implements TextFilter {
  readonly docCount: number;
  readonly #snapshot: Snapshot;
  readonly #words: readonly WordPlaces[];
  readonly #organizations: OrganizationMatches;
  readonly #exactLast: NumberRange;
  readonly #exactFirst: NumberRange;
  readonly #fullNames: readonly FullName[];
  /** The word with the fewest documents, whose lists hold every match. */
  readonly #rarest: WordPlaces;
  #sets: NameSets | null = null;

  /** `words` are the words of the folded value; there is at least one. */
  constructor(snapshot: Snapshot, folded: string, words: readonly string[]) {
    const distinct = [...new Set(words)];
    this.#snapshot = snapshot;
    this.#words = distinct.map((word) => findWord(snapshot, Buffer.from(word)));
    this.#organizations = matchOrganizations(snapshot, folded, distinct);
    this.#exactLast = snapshot.lastNames.equalTo(Buffer.from(folded));
    this.#exactFirst = snapshot.firstNames.equalTo(Buffer.from(folded));
    this.#fullNames = findFullNames(snapshot, words);
    this.#rarest = this.#words.reduce((rarest, word) =>
      word.docCount < rarest.docCount ? word : rarest,
    );
    this.docCount =
      this.#rarest.docCount +
      listedDocs(snapshot.nameDocs, this.#organizations.contains);
  }

  eachList(add: (docs: Uint32Array) => void): void {
    const { firstNameDocs, nameDocs } = this.#snapshot;
    for (const number of this.#rarest.last.contains)
      add(itemsOf(nameDocs, number));
    for (const number of this.#organizations.contains)
      add(itemsOf(nameDocs, number));
    for (const number of this.#rarest.first.contains)
      add(itemsOf(firstNameDocs, number));
  }

  keep(docs: Uint32Array, tiers: Uint8Array, count: number): number {
    const { words, organizations, organizationsBegin } = (this.#sets ??=
      this.#makeSets());
    const { firstName, name } = this.#snapshot;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      const number = name[doc]!;
      const first = firstName[doc]!;
      let hits = 1;
      let begins = 1;
      for (let word = 0; word < words.length && (hits & 1) === 1; word++) {
        const set = words[word]!;
        hits &=
          (set.lasts[number >>> 5]! >>> (number & 31)) |
          (set.firsts[first >>> 5]! >>> (first & 31));
        begins &=
          (set.lastBegins[number >>> 5]! >>> (number & 31)) |
          (set.firstBegins[first >>> 5]! >>> (first & 31));
      }
      if ((hits & 1) === 0) {
        hits = organizations[number >>> 5]! >>> (number & 31);
        begins = organizationsBegin[number >>> 5]! >>> (number & 31);
        if ((hits & 1) === 0) continue;
      }
      let tier: number = Tier.substring;
      if ((begins & 1) === 1)
        tier = this.#isWhole(number, first) ? Tier.exact : Tier.wordPrefix;
      docs[kept] = doc;
      tiers[kept++] = Math.max(tiers[i]!, tier);
    }
    return kept;
  }

  /** Whether the value is the whole last name, first name or organization name, or both names of a person. */
  #isWhole(name: number, first: number): boolean {
    if (
      isIn(this.#exactLast, name) ||
      isIn(this.#organizations.exact, name) ||
      isIn(this.#exactFirst, first)
    )
      return true;
    return this.#fullNames.some(
      (full) => isIn(full.last, name) && isIn(full.first, first),
    );
  }

  #makeSets(): NameSets {
    const { firstNames, lastNames, organizations } = this.#snapshot;
    const names = lastNames.count + organizations.count + 1;
    const firsts = firstNames.count + 1;
    return {
      words: this.#words.map(({ first, last }) => ({
        lasts: NumberSet.of(names, last.contains).bits,
        lastBegins: NumberSet.of(names, last.begins).bits,
        firsts: NumberSet.of(firsts, first.contains).bits,
        firstBegins: NumberSet.of(firsts, first.begins).bits,
      })),
      organizations: NumberSet.of(names, this.#organizations.contains).bits,
      organizationsBegin: NumberSet.of(names, this.#organizations.begins).bits,
    };
  }
}

function findWord(snapshot: Snapshot, word: Uint8Array): WordPlaces {
  const last = snapshot.lastNameGrams.matches(word);
  const first = snapshot.firstNameGrams.matches(word);
  const docCount =
    listedDocs(snapshot.nameDocs, last.contains) +
    listedDocs(snapshot.firstNameDocs, first.contains);
  return { last, first, docCount };
}

/** The ways to part the words into a first and a last name, in either order, of which both are in the registry. */
function findFullNames(
  { firstNames, lastNames }: Snapshot,
  words: readonly string[],
): FullName[] {
  const found: FullName[] = [];
  for (let split = 1; split < words.length; split++) {
    const head = Buffer.from(words.slice(0, split).join(" "));
    const tail = Buffer.from(words.slice(split).join(" "));
    found.push({
      first: firstNames.equalTo(head),
      last: lastNames.equalTo(tail),
    });
    found.push({
      first: firstNames.equalTo(tail),
      last: lastNames.equalTo(head),
    });
  }
  return found.filter(
    ({ first, last }) => first.from < first.to && last.from < last.to,
  );
}

function isIn({ from, to }: NumberRange, number: number): boolean {
  return number >= from && number < to;
}
