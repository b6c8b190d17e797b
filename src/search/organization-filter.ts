import { NumberSet } from "../snapshot/number-set.ts";
import { itemsOf } from "../snapshot/postings.ts";
import { listedDocs, Tier, type TextFilter } from "./text-filter.ts";
import type { NumberRange } from "../snapshot/dictionary.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** The organization names that match the words of a value, as numbers of the `name` column, ascending. */
export interface OrganizationMatches {
  contains: Uint32Array;
  /** Those in which each of the words begins a word. */
  begins: Uint32Array;
  /** Those that are the whole value. */
  exact: NumberRange;
}

/** Finds the organization names each of `words` (folded, distinct, not empty) is a substring of. */
export function matchOrganizations(
  snapshot: Snapshot,
  folded: string,
  words: readonly string[],
): OrganizationMatches {
  const { lastNames, organizations } = snapshot;
  let contains: Uint32Array | null = null;
  let begins: Uint32Array | null = null;
  for (const word of words) {
    const matches = snapshot.organizationWordGrams.matches(Buffer.from(word));
    contains = intersect(
      contains,
      organizationsWith(snapshot, matches.contains),
    );
    begins = intersect(begins, organizationsWith(snapshot, matches.begins));
    if (contains.length === 0) break;
  }
  const shift = lastNames.count;
  const exact = organizations.equalTo(Buffer.from(folded));
  return {
    contains: (contains ?? new Uint32Array(0)).map((number) => number + shift),
    begins: (begins ?? new Uint32Array(0)).map((number) => number + shift),
    exact: { from: exact.from + shift, to: exact.to + shift },
  };
}

/** The filter `organization`. */
export class OrganizationFilter implements TextFilter {
  readonly docCount: number;
  readonly #snapshot: Snapshot;
  readonly #matches: OrganizationMatches;
  #sets: { contains: NumberSet; begins: NumberSet } | null = null;

  constructor(snapshot: Snapshot, matches: OrganizationMatches) {
    this.#snapshot = snapshot;
    this.#matches = matches;
    this.docCount = listedDocs(snapshot.nameDocs, matches.contains);
  }

  eachList(add: (docs: Uint32Array) => void): void {
    for (const number of this.#matches.contains)
      add(itemsOf(this.#snapshot.nameDocs, number));
  }

  keep(docs: Uint32Array, tiers: Uint8Array, count: number): number {
    const column = this.#snapshot.name;
    const { contains, begins } = (this.#sets ??= this.#makeSets());
    const { from, to } = this.#matches.exact;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const number = column[docs[i]!]!;
      if (!contains.has(number)) continue;
      let tier: number = begins.has(number) ? Tier.wordPrefix : Tier.substring;
      if (number >= from && number < to) tier = Tier.exact;
      docs[kept] = docs[i]!;
      tiers[kept++] = Math.max(tiers[i]!, tier);
    }
    return kept;
  }

  #makeSets(): { contains: NumberSet; begins: NumberSet } {
    const size =
      this.#snapshot.lastNames.count + this.#snapshot.organizations.count + 1;
    return {
      contains: NumberSet.of(size, this.#matches.contains),
      begins: NumberSet.of(size, this.#matches.begins),
    };
  }
}

/** The organization names that contain one of the given words of theirs. */
function organizationsWith(
  snapshot: Snapshot,
  words: Uint32Array,
): Uint32Array {
  const { organizations, organizationsOfWord } = snapshot;
  if (words.length === 1) return itemsOf(organizationsOfWord, words[0]!);
  const numbers = new NumberSet(organizations.count + 1);
  for (const word of words) numbers.addAll(itemsOf(organizationsOfWord, word));
  return numbers.toArray();
}

/** The numbers in both of two ascending lists; null stands for all numbers. */
function intersect(some: Uint32Array | null, others: Uint32Array): Uint32Array {
  if (some === null) return others;
  const both = new Uint32Array(Math.min(some.length, others.length));
  let count = 0;
  for (let i = 0, j = 0; i < some.length && j < others.length;) {
    const difference = some[i]! - others[j]!;
    if (difference === 0) both[count++] = some[i]!;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return both.subarray(0, count);
}
