import { sortedDistinct } from "../../snapshot/bytes/sorted.ts";
import { withRoom } from "../../snapshot/bytes/growable.ts";
import { docsIn } from "../plan/query-plan.ts";
import { NO_MATCH, Tier } from "../filters/text-filter.ts";
import { WordFilter } from "../filters/word-filter.ts";
import { countRepeats } from "./count-repeats.ts";
import { likelyFirst } from "./ranked-docs.ts";
import { WordLists } from "./word-lists.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { ExactRule } from "../filters/exact-name.ts";
import type { Matches, QueryPlan } from "../plan/query-plan.ts";
import type { Workspace } from "./workspace.ts";

/** With fewer documents, a list of them takes no longer. */
const MIN_DOCS = 128;
/** Pages that end later are found in a list of all matches. */
const MAX_PAGE_END = 1024;
/** If too few documents were found, this many times as many are looked at. */
const WIDER = 4;

/**
 * A search for one word, with no other filter. The total follows from the lengths of the lists of names, less the
 * documents that several of them have, and only the documents at the start of the lists are read for the first pages.
 * `listed` finds further pages. Null for other query plans.
 */
export function countLists(
  snapshot: Snapshot,
  { filters, kinds, ranges, rules, taxonomies }: QueryPlan,
  workspace: Workspace,
  listed: () => Matches,
): Matches | null {
  const [filter] = filters;
  const [rule] = rules;
  if (filters.length !== 1 || rule === undefined) return null;
  if (!(filter instanceof WordFilter) || filter.bound < MIN_DOCS) return null;
  // Of organizations' words, the set of a frequent n-gram is less to read.
  if (filter.ngram !== null && filter.ngram.docs !== null) return null;
  if ((filter.kinds & ~kinds) !== 0 || taxonomies !== null) return null;
  if (docsIn(ranges) < snapshot.count) return null;
  return new OneWord(snapshot, filter, rule, workspace, listed);
}

class OneWord implements Matches {
  readonly total: number;
  readonly #fields: readonly WordLists[];
  readonly #filter: WordFilter;
  readonly #rule: ExactRule;
  readonly #docCount: number;
  readonly #listed: () => Matches;

  constructor(
    snapshot: Snapshot,
    filter: WordFilter,
    rule: ExactRule,
    { seen }: Workspace,
    listed: () => Matches,
  ) {
    const {
      count,
      firstName,
      firstNameField,
      lastNameField,
      name,
      organizationWordField,
    } = snapshot;
    const { scope, word } = filter;
    this.#docCount = count;
    this.#filter = filter;
    this.#rule = rule;
    this.#listed = listed;
    const words = new WordLists(organizationWordField, word, null);
    const last = new WordLists(lastNameField, word, name);
    const first = new WordLists(firstNameField, word, firstName);
    this.#fields = scope === "organization" ? [words] : [last, first, words];
    let total = 0;
    for (const { length } of this.#fields) total += length;
    const repeats = countRepeats(snapshot, filter, total);
    if (repeats !== null) this.total = total - repeats;
    else {
      const inNames =
        scope === "any"
          ? last.length + first.length - last.countShared(first, seen)
          : 0;
      this.total = inNames + words.countDistinct(seen);
    }
  }

  page(offset: number, limit: number): number[] {
    const end = offset + limit;
    if (end > MAX_PAGE_END) return this.#listed().page(offset, limit);
    const rule = this.#rule;
    const page: number[] = [];
    if (!rule.isEmpty)
      this.#append(page, end, rule.bound, Tier.exact, (below, take) =>
        rule.eachList((items, from, to) => take(items, from, to)),
      );
    for (const tier of [Tier.wordPrefix, Tier.substring]) {
      const fields = this.#fields.filter((field) => field.lengthOf(tier) > 0);
      const length = fields.reduce(
        (sum, field) => sum + field.lengthOf(tier),
        0,
      );
      this.#append(page, end, length, tier, (below, take) => {
        for (const field of fields) field.eachBelow(below, tier, take);
      });
    }
    return page.slice(offset);
  }

  /**
   * Appends the first documents of a tier to a page until it ends. `eachList` passes on at most `length` documents,
   * among them all of the tier below a document.
   */
  #append(
    page: number[],
    end: number,
    length: number,
    tier: number,
    eachList: (
      below: number,
      take: (items: Uint32Array, from: number, to: number) => void,
    ) => void,
  ): void {
    const needed = end - page.length;
    if (needed === 0 || length === 0) return;
    const docCount = this.#docCount;
    for (
      let below = (likelyFirst(needed) / length) * docCount;
      ;
      below *= WIDER
    ) {
      const past = Math.min(docCount, Math.ceil(below));
      let docs: Uint32Array = new Uint32Array(0);
      let count = 0;
      eachList(past, (items, from, to) => {
        docs = withRoom(docs, count + to - from);
        for (let at = from; at < to; at++) {
          docs[count] = items[at]!;
          if (items[at]! < past) count++;
        }
      });
      const found = this.#keep(sortedDistinct(docs.subarray(0, count)), tier);
      if (found.length < needed && past < docCount) continue;
      page.push(...found.subarray(0, needed));
      return;
    }
  }

  /** The documents of a tier, among those that match at least as well. */
  #keep(docs: Uint32Array, tier: number): Uint32Array {
    if (tier === Tier.exact) return docs;
    const rule = this.#rule;
    const isStarted =
      tier === Tier.substring &&
      this.#fields.some((field) => field.lengthOf(Tier.wordPrefix) > 0);
    if (!isStarted)
      return rule.isEmpty ? docs : docs.filter((doc) => !rule.has(doc));
    const tiers = new Uint8Array(docs.length).fill(NO_MATCH);
    this.#filter.tiersOf(docs, docs.length, tiers);
    return docs.filter((_, at) => tiers[at] === tier);
  }
}
