import { ALL_KINDS } from "../../snapshot/postings/kinds.ts";
import {
  AnyNameFilter,
  AnyNameRule,
  type OtherNameSearch,
} from "../filters/union-name-filter.ts";
import {
  slotFilter,
  type TaxonomyFilters,
} from "../filters/any-taxonomy-filter.ts";
import { NameFilters } from "./name-filters.ts";
import type { ScopeName } from "../../contract/filters.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { ExactRule } from "../filters/exact-name.ts";
import type { TaxonomyAsked } from "../filters/taxonomy-filter.ts";
import type { TextFilter } from "../filters/text-filter.ts";
import type { Workspace } from "../evaluate/workspace.ts";

/** A query, resolved against a snapshot: every filter in numbers. A document matches when it passes all of them. */
export interface Plan {
  /** The documents admitted by place, ascending. */
  ranges: readonly NumberRange[];
  /** The kinds admitted, as bits. */
  kinds: number;
  /** The primary taxonomies admitted, ascending; null for any and none. */
  taxonomies: Uint32Array | null;
  /** Those of names, and then those that make no tiers. */
  filters: readonly TextFilter[];
  /** Per text parameter its rule; a document that all of them have matches exactly. */
  rules: readonly ExactRule[];
}

/** What a search found. */
export interface Found {
  total: number;
  /**
   * The documents at `offset` to `offset + limit` - 1, which may lie past the end, in the order of pages. To be called
   * before another search begins.
   */
  page(offset: number, limit: number): number[];
}

/** What searches of one thread are planned with. */
export interface Planning {
  snapshot: Snapshot;
  workspace: Workspace;
  taxonomyFilters: TaxonomyFilters;
  /** Null where the snapshot does not hold other names. */
  otherNames: OtherNameSearch | null;
}

/** A text that names have to match. */
export interface NameText {
  /** A name matches when it passes all of them. */
  readonly filters: readonly ((names: NameFilters) => TextFilter)[];
  readonly rule: (names: NameFilters) => ExactRule;
  /** The kinds that have names of the sort asked for, where other names, which may be of any sort, are searched too. */
  readonly kinds?: number;
}

/** A plan in the making: what the filters of a query admit, one by one (`plan-query.ts`). */
export class PlanDraft {
  readonly planning: Planning;
  /** What is asked of one taxonomy. */
  readonly taxonomy: TaxonomyAsked = { code: null, words: null };
  #ranges: readonly NumberRange[];
  #kinds = ALL_KINDS;
  readonly #texts: NameText[] = [];
  readonly #filters: TextFilter[] = [];
  readonly #widened = new Set<ScopeName>();

  constructor(planning: Planning) {
    const { count } = planning.snapshot;
    this.planning = planning;
    this.#ranges = count === 0 ? [] : [{ from: 0, to: count }];
  }

  /** Admits only documents of ranges, which ascend and do not touch. */
  keepRanges(ranges: readonly NumberRange[]): void {
    this.#ranges = intersectRanges(this.#ranges, ranges);
  }

  /** Admits only documents of some kinds. */
  keepKinds(kinds: number): void {
    this.#kinds &= kinds;
  }

  keepNamed(text: NameText): void {
    this.#texts.push(text);
  }

  /** Admits only the documents of a filter that makes no tiers. */
  keepMatching(filter: TextFilter): void {
    this.#filters.push(filter);
  }

  /** Makes filters reach beyond the records. The snapshot must hold what that needs. */
  widen(scope: ScopeName): void {
    this.#widened.add(scope);
  }

  finish(): Plan {
    const { snapshot, taxonomyFilters, workspace } = this.planning;
    const { filters, rules } = this.#finishTexts();
    const anySlot = this.#widened.has("taxonomy_scope");
    const slots = anySlot
      ? slotFilter(snapshot, taxonomyFilters, workspace, this.taxonomy)
      : null;
    if (slots !== null) filters.push(slots);
    return {
      ranges: this.#ranges,
      kinds: this.#kinds,
      taxonomies: anySlot
        ? null
        : taxonomyFilters.primary.numbers(this.taxonomy),
      filters: filters.concat(this.#filters),
      rules,
    };
  }

  #finishTexts(): { filters: TextFilter[]; rules: ExactRule[] } {
    const { otherNames, snapshot, workspace } = this.planning;
    const own = new NameFilters(snapshot, workspace);
    if (!this.#widened.has("name_scope"))
      return {
        filters: this.#texts.flatMap(({ filters }) =>
          filters.map((make) => make(own)),
        ),
        rules: this.#texts.map(({ rule }) => rule(own)),
      };
    if (otherNames === null)
      throw new Error("The snapshot does not hold other names");
    const { names } = otherNames;
    const others = new NameFilters(names, otherNames.workspace);
    for (const { kinds = ALL_KINDS } of this.#texts) this.keepKinds(kinds);
    return {
      filters: this.#texts.flatMap(({ filters }) =>
        filters.map(
          (make) =>
            new AnyNameFilter(make(own), make(others), names, workspace),
        ),
      ),
      rules: this.#texts.map(
        ({ rule }) => new AnyNameRule(rule(own), rule(others), names),
      ),
    };
  }
}

/** How many documents ranges hold. */
export function docsIn(ranges: readonly NumberRange[]): number {
  return ranges.reduce((count, { from, to }) => count + to - from, 0);
}

function intersectRanges(
  some: readonly NumberRange[],
  others: readonly NumberRange[],
): NumberRange[] {
  const both: NumberRange[] = [];
  for (let i = 0, j = 0; i < some.length && j < others.length;) {
    const from = Math.max(some[i]!.from, others[j]!.from);
    const to = Math.min(some[i]!.to, others[j]!.to);
    if (from < to) both.push({ from, to });
    if (some[i]!.to < others[j]!.to) i++;
    else j++;
  }
  return both;
}
